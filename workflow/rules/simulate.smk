# One rule simulates all papers: a job is one block of consecutive replicates of one cell.


rule simulate:
    input:
        ratings=lambda wildcards: PLAN.ratings_table(block(wildcards).cell) or [],
    output:
        f"{RESULTS}/{{paper}}/runs/{{cell}}/{{first}}-{{last}}.parquet",
    log:
        f"{RESULTS}/logs/{{paper}}/{{cell}}/{{first}}-{{last}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{paper}}/{{cell}}/{{first}}-{{last}}.tsv"
    priority: longest_first
    group:
        submission
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        # a cluster's second try may use twice the memory and the time
        mem_mb=lambda wildcards, attempt: 2000 * 2 ** (attempt - 1),
        runtime=minutes,
        # blocks that share a submission follow one another: a profile allows it one lane
        lane=1,
        # a resource and not a parameter: another limit reruns nothing
        replicate_seconds=SETTINGS.block.replicate_seconds,
    params:
        cell=cell_json,
        code=simulation_code,
        seed=SETTINGS.master_seed,
        progress=f"{RESULTS}/progress.json",
    message:
        "{wildcards.paper}: {wildcards.cell}, replicates {wildcards.first} to {wildcards.last}"
    shell:
        "python workflow/scripts/simulate.py --cell {params.cell:q} --first {wildcards.first} --last {wildcards.last} "
        "--master-seed {params.seed} --code {params.code} --limit {resources.replicate_seconds} --progress {params.progress:q} "
        "--data {input.ratings:q} --output {output:q} 2> {log:q}"
