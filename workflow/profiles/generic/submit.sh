#!/usr/bin/env bash
# Submit a job's script to SLURM and print its number. Other schedulers: docs/cluster.md. Arguments: megabytes, minutes, threads, script.
set -euo pipefail
logs=.snakemake/generic_logs
mkdir -p "$logs"
exec sbatch --parsable --mem="$1" --time="$2" --cpus-per-task="$3" --output="$logs/%j.log" "$4"
