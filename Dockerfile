# The image of `hookhost serve`, without any hooks. A project's own image adds them: see docs/deploying.md.
#
#   docker build --tag hookhost:0.1.0 .
#   docker build --tag hookhost:0.1.0 --build-arg FEATURES=otel .    with OpenTelemetry
#
# Needs BuildKit, which is Docker's default. The first build takes long: it compiles more than a thousand crates.
# For builds that can be repeated, name both base images by digest.
ARG RUST=1.95
# The same release for both stages, so that the program finds the C library that it was linked with.
ARG DEBIAN=bookworm

FROM rust:${RUST}-${DEBIAN} AS build
# bindgen needs libclang. The image brings the C compiler and python3, which downloads V8. CMake and protoc are not
# needed: AWS-LC is built with the C compiler, and the types of OTLP are generated beforehand.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libclang-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# Cargo features beside the default ones (`node`, `postgres`), separated by commas.
ARG FEATURES=""
ENV CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never
# `v8 install` does nothing where V8 can be downloaded. Elsewhere it takes the archive from the folder .v8 of the
# checkout, and says what is missing if there is none.
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo xtask v8 install \
    && cargo build --release --locked --package hookhost-cli --features "$FEATURES" \
    && cp target/release/hookhost /hookhost

FROM debian:${DEBIAN}-slim
LABEL org.opencontainers.image.title="hookhost" \
    org.opencontainers.image.description="Runs an AI agent's hooks and merges their answers into one decision" \
    org.opencontainers.image.licenses="MIT"
# The certificates are for PostgreSQL with sslmode=verify-full and for hooks that use the network.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libgcc-s1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY LICENSE /usr/share/doc/hookhost/LICENSE
COPY --from=build /hookhost /usr/local/bin/hookhost
# A library that is missing fails the build, and not the first start.
RUN ["/usr/local/bin/hookhost", "--version"]

# A number, so that Kubernetes can see that it is not root. No folder belongs to it, and none has to: the root file
# system may be read-only.
USER 65532:65532
EXPOSE 8787
STOPSIGNAL SIGTERM
# Kubernetes has probes of its own: /readyz and /healthz.
HEALTHCHECK NONE
ENTRYPOINT ["/usr/local/bin/hookhost"]
# There is no folder /project: without a project the service does not start. Tokens have to be given too: it refuses an
# open address without them.
CMD ["serve", "--project", "/project", "--listen", "0.0.0.0:8787"]
