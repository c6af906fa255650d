# An image with everything that a run needs, for workflow/profiles/kubernetes and for whoever prefers a container.
# It was NOT built where this was written, where no container could be made: tests/unit/test_container.py checks its lines only.
#
#   docker build --tag banditpapers .
#   docker run --rm --volume "$PWD/out:/banditpapers/results" banditpapers --cores all --config figures=results/figures
FROM python:3.11-slim-bookworm

SHELL ["/bin/bash", "-o", "pipefail", "-c"]

# git is looked for by Snakemake; make sets the environment up as the README says
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /banditpapers
COPY Makefile requirements-kubernetes.lock ./
RUN make cluster LOCK_CLUSTER=requirements-kubernetes.lock

COPY . .
ENV PATH=/banditpapers/.venv-cluster/bin:$PATH
ENTRYPOINT ["snakemake"]
CMD ["--cores", "all"]
