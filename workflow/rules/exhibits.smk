# From runs to tidy tables, and from tidy tables to what is shown. Computing and drawing meet at the tidy table only.


rule summarise:
    input:
        runs=lambda wildcards: PLAN.runs(wildcards.paper, wildcards.exhibit),
    output:
        f"{RESULTS}/{{paper}}/{{exhibit}}.parquet",
    log:
        f"{RESULTS}/logs/{{paper}}/{{exhibit}}.summarise.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{paper}}/{{exhibit}}.summarise.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        summary=lambda wildcards: PLAN.summary_name(wildcards.paper, wildcards.exhibit),
        replicates=lambda wildcards: PLAN.replicates(wildcards.paper, wildcards.exhibit),
        runs=lambda wildcards: PLAN.spans(wildcards.paper, wildcards.exhibit),
        parameters=lambda wildcards: PLAN.parameters(wildcards.paper, wildcards.exhibit),
        claims=lambda wildcards: PLAN.claims_path(wildcards.paper),
        claims_key=lambda wildcards: PLAN.claims_key(wildcards.paper),
        code=lambda wildcards: PLAN.summary_code(wildcards.paper, wildcards.exhibit),
    message:
        "{wildcards.paper}: the tidy table of {wildcards.exhibit}"
    shell:
        "python workflow/scripts/summarise.py --paper {wildcards.paper} --summary {params.summary} --replicates {params.replicates} "
        "--parameters {params.parameters:q} --claims {params.claims:q} --code {params.code} --output {output:q} --runs {params.runs:q} 2> {log:q}"


rule figure:
    input:
        f"{RESULTS}/{{paper}}/{{figure}}.parquet",
    output:
        svg=shown(f"{FIGURES}/{{paper}}/{{figure}}.svg", "figures"),
        png=f"{FIGURES}/{{paper}}/{{figure}}.png",
        csv=shown(f"{FIGURES}/{{paper}}/{{figure}}.csv", "figures"),
        json=f"{FIGURES}/{{paper}}/{{figure}}.json",
    log:
        f"{RESULTS}/logs/{{paper}}/{{figure}}.draw.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{paper}}/{{figure}}.draw.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        claims=lambda wildcards: PLAN.claims_path(wildcards.paper),
        code=lambda wildcards: PLAN.exhibit_code(wildcards.paper, wildcards.figure),
    message:
        "{wildcards.paper}: {wildcards.figure}"
    shell:
        "python workflow/scripts/exhibit.py --paper {wildcards.paper} --kind figure --name {wildcards.figure} --tidy {input:q} "
        "--claims {params.claims:q} --code {params.code} --output {output.svg:q} 2> {log:q}"


rule table:
    input:
        f"{RESULTS}/{{paper}}/{{table}}.parquet",
    output:
        csv=shown(f"{FIGURES}/{{paper}}/{{table}}.csv", "tables"),
        md=shown(f"{FIGURES}/{{paper}}/{{table}}.md", "tables"),
        tex=f"{FIGURES}/{{paper}}/{{table}}.tex",
        json=f"{FIGURES}/{{paper}}/{{table}}.json",
    log:
        f"{RESULTS}/logs/{{paper}}/{{table}}.print.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{paper}}/{{table}}.print.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        claims=lambda wildcards: PLAN.claims_path(wildcards.paper),
        claims_key=lambda wildcards: PLAN.claims_key(wildcards.paper),
        code=lambda wildcards: PLAN.exhibit_code(wildcards.paper, wildcards.table),
    message:
        "{wildcards.paper}: {wildcards.table}"
    shell:
        "python workflow/scripts/exhibit.py --paper {wildcards.paper} --kind table --name {wildcards.table} --tidy {input:q} "
        "--claims {params.claims:q} --code {params.code} --output {output.csv:q} 2> {log:q}"
