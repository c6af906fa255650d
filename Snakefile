# banditpapers: from parameter grids to every figure and table of the papers, and a verdict on each of their numbers.
#
#   snakemake --cores 8                                         everything, at the papers' full scale
#   snakemake --cores 8 lp2s_table2                             one exhibit (or a paper: lp2s; or: audit)
#   snakemake --cores 8 crate                                   ro-crate-metadata.json and codecheck.yml of the finished run
#   snakemake forecast                                          jobs and CPU minutes, before anything runs
#   snakemake --cores 2 --configfile config/quick.yaml          the same pipeline in minutes, under results/quick/


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"  # the configuration, and the plan that follows from it
include: "workflow/rules/data.smk"  # ratings of real people, for the papers that play on them
include: "workflow/rules/simulate.smk"  # cells, one job per block of replicates
include: "workflow/rules/exhibits.smk"  # tidy tables, figures, printed tables
include: "workflow/rules/audit.smk"  # claims against measurements, gallery, manifest


if not MODULE:

    include: "workflow/rules/publish.smk"  # the finished run as an RO-Crate and a CODECHECK manifest


rule all:
    default_target: True
    input:
        rules.gallery.input,  # or a missing file below finished ones would not be made again
        rules.gallery.output,
        rules.whole.output,
    message:
        f"every exhibit, the audit and the gallery: {FIGURES}/README.md"


rule audit:
    input:
        rules.claims.input,
        rules.claims.output,
        rules.page.output,
        rules.whole.output,
        rules.verdicts.output,
    message:
        f"the audit: {FIGURES}/audit/index.html"


for target, files in PLAN.targets().items():

    rule:
        name:
            target
        input:
            files,
        message:
            f"{target}: {files[0]}"


rule forecast:
    log:
        f"{RESULTS}/logs/forecast.log",
    conda:
        "environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        settings=SETTINGS.to_json(),
    message:
        "what there is to do, before anything is done"
    shell:
        "python workflow/scripts/forecast.py --settings {params.settings:q} 2> {log:q}"
