# Two commands do everything on a fresh machine with Python and make:
#   make book    install, check every number, build the site
#   make test    install, run all checks there are
#   make pdf     the book as one PDF, printed by Chromium
#   make epub    the book for readers of ePub
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SITE   := _build/html/index.html

# For the small CPU build of torch on Linux: make book TORCH_INDEX=<address> (see README.md).
TORCH_INDEX ?=

# On all cores; a page, or a file of tests, on one of them.
CORES := -n auto --dist loadfile

.PHONY: book pdf epub test install lint clean
.DEFAULT_GOAL := book

book: install
	$(BIN)/python -m pytest $(CORES) README.md book src
	$(BIN)/jupyter-book build . -W -n --keep-going
	@echo "The book is ready: open $(SITE)"

pdf: book
	$(BIN)/python -m pages.pdf _build/html _build/attention-checked.pdf

epub: book
	$(BIN)/python -m pages.epub _build/html _build/attention-checked.epub

test: install lint
	$(BIN)/python -m pytest $(CORES)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

install: $(VENV)/installed

$(VENV)/installed: requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(if $(TORCH_INDEX),$(BIN)/pip install --index-url $(TORCH_INDEX) "$$(grep ^torch== requirements.txt)")
	$(BIN)/pip install --disable-pip-version-check -r requirements.txt -c constraints.txt -e .
	touch $@

clean:
	rm -rf _build .claims
