FROM localhost/debian:apt
RUN apt-get install -y -qq --no-install-recommends prometheus && mkdir -p /prometheus /etc/prometheus/targets \
  && chown 65534:65534 /prometheus && rm -f /etc/prometheus/*.yml
VOLUME /prometheus
ENTRYPOINT ["/usr/bin/prometheus"]
