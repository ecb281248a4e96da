# The clip host. Build it from the root of the repository:
# docker build -f packages/service/deploy/host.Dockerfile -t clip-host .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/host/package.json packages/host/
COPY packages/engine/package.json packages/engine/
COPY packages/service/package.json packages/service/
COPY packages/mcp/package.json packages/mcp/
COPY packages/player/package.json packages/player/
COPY packages/testkit/package.json packages/testkit/
COPY demo/package.json demo/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run package -- /tmp

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /tmp/clip-*.tgz /tmp/
RUN npm install --no-audit --no-fund /tmp/clip-*.tgz pg@8 redis@6 && rm /tmp/clip-*.tgz
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production PORT=4500 HOST_STORE=/data/clip-host.sqlite
VOLUME /data
EXPOSE 4500
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node_modules/.bin/clip-host"]
