# One rule simulates all papers: a job is one block of consecutive replicates of one cell.


def block(wildcards):
    return BLOCKS[f"{RESULTS}/{wildcards.paper}/runs/{wildcards.cell}/{wildcards.first}-{wildcards.last}.parquet"]


def cell_json(wildcards):
    return block(wildcards).cell.json


def simulation_code(wildcards):
    return PLAN.simulation_code(block(wildcards).cell)


def longest_first(wildcards):
    return round(block(wildcards).seconds)


def minutes(wildcards, attempt):
    return attempt * (2 + round(block(wildcards).seconds / 20))


rule simulate:
    message:
        "{wildcards.paper}: {wildcards.cell}, replicates {wildcards.first} to {wildcards.last}"
    output:
        f"{RESULTS}/{{paper}}/runs/{{cell}}/{{first}}-{{last}}.parquet",
    params:
        cell=cell_json,
        code=simulation_code,
        seed=SETTINGS.master_seed,
        progress=PROGRESS,
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * attempt,
        runtime=minutes,
    priority: longest_first
    log:
        f"{RESULTS}/logs/{{paper}}/{{cell}}/{{first}}-{{last}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{paper}}/{{cell}}/{{first}}-{{last}}.tsv"
    conda:
        "../../environment.yml"
    shell:
        "{PY:q} workflow/scripts/simulate.py --cell {params.cell:q} --first {wildcards.first} --last {wildcards.last} "
        "--master-seed {params.seed} --code {params.code} --progress {params.progress:q} --output {output:q} 2> {log:q}"
