# Two targets: `index`, a job that indexes /records into /library, and `server`, the search page and the API.
#   docker build --target index --tag bioglot-index .
#   docker build --target server --tag bioglot .
ARG PYTHON_VERSION=3.11

FROM python:${PYTHON_VERSION}-slim AS build
# A CPU build of torch; a machine with a GPU takes another index: --build-arg TORCH_INDEX=...
ARG TORCH=torch==2.13.0
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python -m venv /opt/bioglot
ENV PATH=/opt/bioglot/bin:$PATH
RUN pip install --no-cache-dir --index-url "$TORCH_INDEX" "$TORCH"
WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY models ./models
COPY indexer ./indexer
COPY app ./app
RUN pip install --no-cache-dir .

FROM python:${PYTHON_VERSION}-slim AS base
RUN useradd --uid 10001 --create-home bioglot \
    && mkdir /library /records /cache \
    && chown bioglot /library /cache
COPY --from=build /opt/bioglot /opt/bioglot
ENV PATH=/opt/bioglot/bin:$PATH BIOGLOT_LIBRARY=/library BIOGLOT_CACHE=/cache HF_HOME=/cache/hub
USER bioglot
WORKDIR /home/bioglot
VOLUME ["/library", "/cache"]

FROM base AS index
ENTRYPOINT ["bioglot", "index"]
CMD ["/records"]

FROM base AS server
EXPOSE 8501
# The first start converts the encoder, which takes some seconds.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/health', timeout=4)"]
ENTRYPOINT ["bioglot"]
CMD ["ui", "--host", "0.0.0.0", "--port", "8501"]
