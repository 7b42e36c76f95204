FROM localhost/debian:apt
RUN groupadd -g 1000 node && useradd -u 1000 -g node -m node
COPY node/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /root/.npmrc
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && chmod +x /usr/local/lib/node_modules/npm/bin/*.js && sed -i '/nodedir/d' /root/.npmrc
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
