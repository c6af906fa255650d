# Every claim of the papers against its measurement, and the page that leads to all of it.
AUDIT = [f"{FIGURES}/audit/claims.csv", f"{FIGURES}/audit/summary.md", f"{RESULTS}/audit.json"]
GALLERY = [f"{FIGURES}/README.md", f"{FIGURES}/MANIFEST.sha256", f"{RESULTS}/complete.json"]


rule claims:
    message:
        "every claim against its measurement"
    input:
        [path for paper in PLAN.papers for path in PLAN.summaries(paper)],
    output:
        AUDIT,
    params:
        papers=",".join(PLAN.papers),
        results=RESULTS,
        claims_keys=[PLAN.claims_key(paper) for paper in PLAN.papers],
        code=PLAN.audit_code(),
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    log:
        f"{RESULTS}/logs/audit.log",
    benchmark:
        f"{RESULTS}/benchmarks/audit.tsv"
    conda:
        "../../environment.yml"
    shell:
        "{PY:q} workflow/scripts/audit.py --papers {params.papers} --results {params.results:q} --output {output[0]:q} "
        "--summary {output[1]:q} --complete {output[2]:q} 2> {log:q}"


rule gallery:
    message:
        "the gallery page and the manifest"
    input:
        exhibits=[path for paper in PLAN.papers for path in PLAN.targets()[paper]],
        audit=AUDIT,
    output:
        GALLERY,
    params:
        papers=",".join(PLAN.papers),
        figures=FIGURES,
        code=PLAN.gallery_code(),
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    log:
        f"{RESULTS}/logs/gallery.log",
    benchmark:
        f"{RESULTS}/benchmarks/gallery.tsv"
    conda:
        "../../environment.yml"
    shell:
        "{PY:q} workflow/scripts/gallery.py --papers {params.papers} --figures {params.figures:q} --page {output[0]:q} --manifest {output[1]:q} "
        "--complete {output[2]:q} 2> {log:q}"
