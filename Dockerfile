# One image, four roles: the argument is the program to run.
#   docker run IMAGE core/main.ts
#   docker run IMAGE gateway/main.ts
#   docker run IMAGE listener/main.ts
#   docker run --init IMAGE workflows/main.ts      (--init collects what the browser leaves)
FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production XDG_CACHE_HOME=/home/node/.cache

# No package that is deployed needs an install script.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

COPY kit kit
COPY proto/gen proto/gen
COPY core core
COPY gateway gateway
COPY listener listener
COPY workflows workflows

# The browser is unpacked here, by the worker and for the browser's user, who cannot look into the worker's home.
RUN install --directory --owner=node --group=node /var/cache/scan-audit
USER node
# The workflow's code is bundled now, so that a worker starts without it.
RUN node --input-type=module -e "import { workflowBundle } from './workflows/bundle.ts'; await workflowBundle('/home/node/.cache/scan-audit')"

# The entry point drops root: the worker keeps what it takes to start its browser as another user.
USER root

ENV CORE_HOST=0.0.0.0 GATEWAY_HOST=0.0.0.0 LISTENER_HOST=0.0.0.0 OPERATIONS_PORT=9090
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/kit/docker-entrypoint.sh"]
CMD ["core/main.ts"]
