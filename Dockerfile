# The program alone, from the sources of this folder: docker build -t headrace . && docker run --rm headrace simulate image-node
FROM debian:12-slim AS build
WORKDIR /src
COPY . .
RUN ./dev setup --program && apt-get install -y -qq dpkg-dev && ./dev package headrace && cp build/package/headrace_*.deb /headrace.deb

FROM debian:12-slim
COPY --from=build /headrace.deb /tmp/headrace.deb
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends /tmp/headrace.deb \
 && rm -rf /tmp/headrace.deb /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 headrace
USER headrace
WORKDIR /home/headrace
ENTRYPOINT ["headrace"]
CMD ["--help"]
