#!/usr/bin/env bash
# The tests on a private SLURM, from a checkout that `make setup` has set up: installs Debian's SLURM and Snakemake's plugins where they
# are missing, lints the Dockerfile, and ends with pytest's verdict. What cannot be installed here is said, and the tests are skipped.
#
#   tests/slurm/ci.sh        an exhibit of each paper through the SLURM plugin and through cluster-generic   (two to four minutes on two cores)
#   tests/slurm/ci.sh all    also what goes wrong with jobs, nodes and the controller                        (about ten minutes more)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unset PYTHONDONTWRITEBYTECODE
which=${1:-some}
case $which in
    some) marked="slurm and not slow" ;;
    all) marked="slurm" ;;
    *) echo "ci.sh: found $which; write all, or nothing" >&2; exit 1 ;;
esac

skipped() {
    echo "slurm: skipped: $1"
    exit 0
}

if ! command -v slurmctld sbatch > /dev/null; then
    [ "$(id -u)" = 0 ] || skipped "SLURM is missing and only root can install it: apt-get install --no-install-recommends slurm-wlm"
    command -v apt-get > /dev/null || skipped "SLURM is missing, and so is apt-get, which would install slurm-wlm"
    export DEBIAN_FRONTEND=noninteractive
    install() { apt-get install --yes --no-install-recommends slurm-wlm > /dev/null; }
    install || { apt-get update > /dev/null && install; } || skipped "apt-get cannot install slurm-wlm"
fi
[ "$(id -u)" = 0 ] || skipped "only root can start a private SLURM"

make --no-print-directory cluster lint-image

said=$(mktemp)
trap 'rm -f "$said"' EXIT
started=$SECONDS
# the session's fixture stops the SLURM that it started, by process id, also when a test fails; Ctrl-C and SIGTERM reach it as pytest's own end
.venv/bin/python -m pytest -m "$marked" tests/slurm 2>&1 | tee "$said"
echo "slurm: $((SECONDS - started)) seconds"
grep -E '^=+ .*[0-9]+ passed.* in .* =+$' "$said" | tail -n 1
