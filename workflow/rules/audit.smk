# Every claim of the papers against its measurement, and the page that leads to all of it.


rule claims:
    input:
        tidy=[path for paper in PLAN.papers for path in PLAN.summaries(paper)],
        findings=[
            shipped_file(f"config/findings/{paper}.yaml") for paper in PLAN.papers
        ],
    output:
        claims=f"{FIGURES}/audit/claims.csv",
        summary=f"{FIGURES}/audit/summary.md",
        json=f"{FIGURES}/audit/claims.json",
        schema=f"{FIGURES}/audit/claims.schema.json",
        differences=f"{FIGURES}/audit/differences.md",
        complete=f"{RESULTS}/audit.json",
    log:
        f"{RESULTS}/logs/audit.log",
    benchmark:
        f"{RESULTS}/benchmarks/audit.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        papers=",".join(PLAN.papers),
        results=lambda wildcards, output: str(Path(output.complete).parent),
        scale=SETTINGS.scale,
        claims_keys=[PLAN.claims_key(paper) for paper in PLAN.papers],
        titles=PLAN.titles_key(),
        code=PLAN.audit_code(),
    message:
        "every claim against its measurement"
    shell:
        "python workflow/scripts/audit.py --papers {params.papers} --results {params.results:q} --scale {params.scale} --output {output.claims:q} "
        "--summary {output.summary:q} --json {output.json:q} --schema {output.schema:q} --differences {output.differences:q} --complete {output.complete:q} 2> {log:q}"


# a rule of its own, so that what the audit wrote stays when replicates failed
rule whole:
    input:
        rules.claims.input.tidy,
    output:
        f"{RESULTS}/whole.json",
    log:
        f"{RESULTS}/logs/whole.log",
    benchmark:
        f"{RESULTS}/benchmarks/whole.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 500 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        code=PLAN.audit_code(),
    message:
        "whether every replicate finished"
    shell:
        "python workflow/scripts/whole.py --tidy {input:q} --output {output:q} 2> {log:q}"


# a rule of its own, so that what the audit wrote stays when a verdict changed
rule verdicts:
    input:
        json=rules.claims.output.json,
        accepted=shipped_file("config/claims/accepted.json"),
    output:
        f"{RESULTS}/verdicts.json",
    log:
        f"{RESULTS}/logs/verdicts.log",
    benchmark:
        f"{RESULTS}/benchmarks/verdicts.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 500 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        code=PLAN.audit_code(),
    message:
        "the verdicts against the accepted ones"
    shell:
        "python workflow/scripts/verdicts.py --document {input.json:q} --accepted {input.accepted:q} --output {output:q} 2> {log:q}"


rule page:
    input:
        claims=rules.claims.output.json,
    output:
        report(
            f"{FIGURES}/audit/index.html",
            caption="../report/audit.rst",
            category="audit",
            labels={"result": "every claim", "file": "html"},
        ),
    log:
        f"{RESULTS}/logs/page.log",
    benchmark:
        f"{RESULTS}/benchmarks/page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 500 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        main=shipped_file(PLAN.main_claims),
        titles=PLAN.titles_key(),
        code=codekey.template_key("banditpapers.page", shipped_file(PLAN.main_claims)),
    message:
        "the audit as a page"
    shell:
        "python workflow/scripts/page.py --claims {input.claims:q} --main {params.main:q} --output {output:q} 2> {log:q}"


rule gallery:
    input:
        exhibits=[path for paper in PLAN.papers for path in PLAN.targets()[paper]],
        audit=rules.claims.output,
        page=rules.page.output,
    output:
        page=f"{FIGURES}/README.md",
        manifest=f"{FIGURES}/MANIFEST.sha256",
        captions=f"{RESULTS}/captions.rst",
        complete=f"{RESULTS}/complete.json",
    log:
        f"{RESULTS}/logs/gallery.log",
    benchmark:
        f"{RESULTS}/benchmarks/gallery.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 500 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        papers=",".join(PLAN.papers),
        figures=lambda wildcards, output: str(Path(output.page).parent),
        scale=SETTINGS.scale,
        titles=PLAN.titles_key(),
        code=PLAN.gallery_code(),
    message:
        "the gallery page and the manifest"
    shell:
        "python workflow/scripts/gallery.py --papers {params.papers} --figures {params.figures:q} --scale {params.scale} --page {output.page:q} "
        "--manifest {output.manifest:q} --captions {output.captions:q} --complete {output.complete:q} 2> {log:q}"
