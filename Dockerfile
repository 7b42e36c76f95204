# One image for the api, the sync server and the front: docker-compose.yml says which one a container is.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
ARG PRODUCT_NAME
ENV PRODUCT_NAME=$PRODUCT_NAME
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app .
USER node
