#!/usr/bin/env bash
# The tests in a real browser. Where Chromium is missing and this is root on Debian, it is installed; else the tests skip and say so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v chromium > /dev/null && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } > /dev/null \
        || echo "browser: apt-get cannot install Chromium here"
fi
.venv/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement requirements-browser.lock
exec .venv/bin/python -m pytest -m browser tests/browser "$@"
