# The finished run for archives and for people who check code. Both files are made from what is there and are not committed.
from banditpapers import publication


rule crate:
    input:
        rules.gallery.input,
        rules.gallery.output.page,
        rules.gallery.output.manifest,
        rules.whole.output,
        publication.sources(PLAN.papers),
        last=rules.gallery.output.complete,
    output:
        crate="ro-crate-metadata.json",
        codecheck="codecheck.yml",
    log:
        f"{RESULTS}/logs/crate.log",
    benchmark:
        f"{RESULTS}/benchmarks/crate.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: 500 * 2 ** (attempt - 1),
        runtime=lambda wildcards, attempt: 5 * 2 ** (attempt - 1),
        lane=1,
    params:
        settings=SETTINGS.to_json(),
        code=codekey.code_key("banditpapers.crate"),
    message:
        "the run as a Workflow Run RO-Crate and a CODECHECK manifest: {output}"
    shell:
        "python workflow/scripts/crate.py --settings {params.settings:q} --last {input.last:q} --crate {output.crate:q} "
        "--codecheck {output.codecheck:q} 2> {log:q}"
