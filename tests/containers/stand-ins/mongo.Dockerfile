FROM localhost/debian:apt
RUN apt-get install -y -qq --no-install-recommends libcurl4 libssl3
RUN groupadd -g 999 mongodb && useradd -u 999 -g mongodb mongodb && mkdir -p /data/db /data/configdb && chown -R 999:999 /data
COPY --chmod=755 mongod mongosh /usr/bin/
VOLUME /data/db /data/configdb
CMD ["mongod"]
