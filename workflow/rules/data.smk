# Ratings of real people become tables of arms. Only cells that play on them ask for one.


rule ratings:
    input:
        local_ratings,
    output:
        f"{RESULTS}/data/{{ratings}}.parquet",
    log:
        f"{RESULTS}/logs/data/{{ratings}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/{{ratings}}.tsv"
    wildcard_constraints:
        ratings="jester|movielens",
    # on a cluster the nodes that compute often reach no other machine
    localrule: True
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        local=lambda wildcards: getattr(SETTINGS.data, wildcards.ratings) or [],
        folder=SETTINGS.data.folder,
        synthetic=["--allow-synthetic"] if SETTINGS.data.allow_synthetic else [],
        code=PLAN.ratings_code(),
    message:
        "the ratings of {wildcards.ratings}"
    shell:
        "python workflow/scripts/data.py --set {wildcards.ratings} --local {params.local:q} --folder {params.folder:q} {params.synthetic:q} "
        "--output {output:q} 2> {log:q}"
