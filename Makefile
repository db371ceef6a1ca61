# Two commands do everything on a fresh machine with Python and make:
#   make book    install, check every number, build the site
#   make test    install, run all checks there are
#   make pdf     the book as one PDF, printed by Chromium
#   make epub    the book for readers of ePub
#   make live    while you write: a saved page is checked and shown again
# and, once a week in CI:
#   make portability    the book's numbers on other processors and systems
#   make retrain        every recorded run, trained again and compared
#   make engines        the site in Chromium, Firefox and WebKit
#   make links          links to other sites
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SITE   := _build/html/index.html

# For the small CPU build of torch on Linux: make book TORCH_INDEX=<address> (see README.md).
TORCH_INDEX ?=

# A failing cell is shown in its page, not a reason to stop; what pytest and Python write is no edit.
LIVE   := --define nb_execution_raise_on_error=0 --re-ignore '/\.|/_build/|__pycache__|egg-info|/tests/|/conf\.py'

# On all cores; a page, or a file of tests, on one of them.
CORES := -n auto --dist loadfile

.PHONY: book pdf epub live new-chapter site links portability retrain engines upgrade test install lint clean
.DEFAULT_GOAL := book

book: install
	$(BIN)/python -m pytest $(CORES) README.md book src
	$(MAKE) site
	@echo "The book is ready: open $(SITE)"

# A saved page is checked and built again, and the browser shows it with what does not hold.
live: install
	mkdir -p _build/live
	$(BIN)/jupyter-book config sphinx . > _build/live.log
	echo '<meta http-equiv="refresh" content="0; url=book/index.html">' > _build/live/index.html
	$(BIN)/sphinx-autobuild . _build/live $(LIVE) --pre-build "$(BIN)/python -m everydigit refresh README.md book"

pdf: book
	$(BIN)/python -m booksite.pages.pdf _build/html _build/attention-checked.pdf

epub: book
	$(BIN)/python -m booksite.pages.epub _build/html _build/attention-checked.epub

# The book with every digit of its claims changed, then the site built from that very run, and all else.
test: install lint
	$(BIN)/python -m pytest $(CORES) --mutate-claims README.md book src
	$(BIN)/python -m pytest -n auto --dist worksteal tests

# Begins a chapter from the template: make new-chapter NAME=12-many-heads
new-chapter: install
	$(BIN)/python tools/new_chapter.py $(NAME)

# The site alone, from what pytest recorded last.
site: install
	$(BIN)/jupyter-book build . -W -n --keep-going

# External links, which rot by themselves: once a week in CI, never part of a build.
links: install
	$(BIN)/jupyter-book build . --builder linkcheck --path-output _build/links

portability: install
	$(BIN)/python tools/portability.py

# Some twenty minutes of a core.
retrain: install
	$(BIN)/python -m attention.retrain

# apt-get install chromium firefox-esr webkit2gtk-driver xvfb
engines: install
	ENGINES="chromium firefox webkit" $(BIN)/python -m pytest tests/engines

# Pins anew what the pins of requirements.txt pull in, in a fresh environment, then runs everything.
upgrade:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(if $(TORCH_INDEX),$(BIN)/pip install --index-url $(TORCH_INDEX) "$$(grep ^torch== requirements.txt)")
	$(BIN)/pip install --disable-pip-version-check -r requirements.txt -e .
	$(BIN)/python tools/constraints.py > constraints.new
	mv constraints.new constraints.txt
	touch $(VENV)/installed
	$(MAKE) test site

lint: install
	PATH="$(CURDIR)/$(BIN):$$PATH" pre-commit run --all-files

install: $(VENV)/installed

$(VENV)/installed: requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(if $(TORCH_INDEX),$(BIN)/pip install --index-url $(TORCH_INDEX) "$$(grep ^torch== requirements.txt)")
	$(BIN)/pip install --disable-pip-version-check --no-compile -r requirements.txt -c constraints.txt -e .
	touch $@

clean:
	rm -rf _build .claims
