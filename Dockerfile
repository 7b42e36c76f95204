# Two images: `app` (api, sync server; docker-compose.yml says which one a container is) and `web` (Caddy with the client).
# Digests: `docker buildx imagetools inspect <image>:<tag>` prints the current one of a tag; change tag and digest together.
FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
ARG PRODUCT_NAME
ARG SIGN_IN_NAME
ENV PRODUCT_NAME=$PRODUCT_NAME SIGN_IN_NAME=$SIGN_IN_NAME
RUN npm run build

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
# npm takes what isn't here for missing, although it was to be omitted.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.json

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS app
ENV NODE_ENV=production
WORKDIR /app
# Nothing here is installed at run time.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/np[mx] /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && mkdir /headers && chown node:node /headers
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/sbom.json ./
COPY --from=build /app/package.json ./
COPY --from=build /app/dist/servers dist/servers
COPY --from=build /app/api/features/geocoder/gazetteer.tsv.gz api/features/geocoder/
COPY --from=build /app/monitoring/production-targets.json monitoring/
# For a demonstration with ALLOW_SANDBOX=true.
COPY --from=build /app/api/features/payments/sandbox/pay.js api/features/payments/sandbox/
USER 1000:1000

FROM caddy:2.11.7-alpine@sha256:d8542f48d34a9cf4e4c11a478865229840e87e4c96ea3f439101f31a5d35f75f AS web
# With a capability on the file it could not be started without that capability. Ports below 1024 are open to all in containers.
RUN setcap -r /usr/bin/caddy && chown -R 1000:1000 /data /config
COPY Caddyfile /etc/caddy/Caddyfile
COPY --from=build /app/dist/client /srv/client
USER 1000:1000
