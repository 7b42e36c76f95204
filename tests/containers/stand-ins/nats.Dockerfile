FROM localhost/debian:apt
RUN apt-get install -y -qq --no-install-recommends wget
COPY --chmod=755 nats-server /usr/bin/
CMD ["nats-server"]
