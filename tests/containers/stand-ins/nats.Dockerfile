FROM localhost/debian:apt
RUN apt-get install -y -qq --no-install-recommends nats-server wget
CMD ["nats-server"]
