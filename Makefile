# Two commands do everything on a fresh machine with Python and make:
#   make book    install, check every number, build the site
#   make test    install, run all checks there are
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SITE   := _build/html/index.html

# For the small CPU build of torch on Linux: make book TORCH_INDEX=<address> (see README.md).
TORCH_INDEX ?=

.PHONY: book test install lint clean
.DEFAULT_GOAL := book

book: install
	$(BIN)/python -m pytest README.md book src
	$(BIN)/jupyter-book build . -W -n --keep-going
	@echo "The book is ready: open $(SITE)"

test: install lint
	$(BIN)/python -m pytest

lint: install
	PATH="$(CURDIR)/$(BIN):$$PATH" pre-commit run --all-files

install: $(VENV)/installed

$(VENV)/installed: requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(if $(TORCH_INDEX),$(BIN)/pip install --index-url $(TORCH_INDEX) "$$(grep ^torch== requirements.txt)")
	$(BIN)/pip install --disable-pip-version-check -r requirements.txt -c constraints.txt -e .
	touch $@

clean:
	rm -rf _build .claims
