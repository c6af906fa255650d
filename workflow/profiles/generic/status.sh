#!/usr/bin/env bash
# Print running, success or failed: what has become of a SLURM job. A job that the scheduler cannot tell of right now counts as running.
set -uo pipefail
state=$(scontrol --oneliner show job "$1" 2> /dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
[ -n "$state" ] || state=$(sacct --noheader --parsable2 --allocations --jobs "$1" --format State 2> /dev/null | cut -d ' ' -f 1)
if [ -z "$state" ] && timeout 30 squeue --noheader > /dev/null 2>&1; then
    state=FORGOTTEN # the scheduler answers and knows no such job: the same command submits it again
fi
case "$state" in
    COMPLETED) echo success ;;
    BOOT_FAIL | CANCELLED* | DEADLINE | FAILED | FORGOTTEN | NODE_FAIL | OUT_OF_MEMORY | TIMEOUT) echo failed ;;
    *) echo running ;;
esac
