FROM localhost/debian:apt
RUN apt-get install -y -qq --no-install-recommends libcap2-bin
COPY --chmod=755 caddy /usr/bin/
RUN setcap cap_net_bind_service=+ep /usr/bin/caddy && mkdir -p /data /config
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
