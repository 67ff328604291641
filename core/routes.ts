import type { ConnectRouter } from '@connectrpc/connect';
import { ServerReflection } from '../proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { Health } from '../proto/gen/health/v1/health_pb.ts';
import type { Policies } from './access/policy.ts';
import type { Core } from './context.ts';
import { healthService, type Missing } from './health.ts';
import { access } from './interceptors/access.ts';
import { authenticate } from './interceptors/authenticate.ts';
import { endWithKey } from './interceptors/end-with-key.ts';
import { entityManager } from './interceptors/entity-manager.ts';
import { errors } from './interceptors/errors.ts';
import { log } from './interceptors/log.ts';
import { rateLimit } from './interceptors/rate-limit.ts';
import { validate } from './interceptors/validate.ts';
import type { RpcMetrics } from './metrics.ts';
import { reflectionService } from './reflection.ts';
import type { Service } from './services.ts';

type RouteDeps = {
  core: Core;
  services: readonly Service[];
  policies: Policies;
  metrics: RpcMetrics;
  missing(): Promise<Missing>;
};

/** All services behind the interceptors, the first being the outermost. Health and reflection are open to anyone. */
export const routesOf = ({ core, services, policies, metrics, missing }: RouteDeps) => {
  const outer = [log(core, metrics), errors];
  const inner = [entityManager(core), authenticate(policies), access(policies), rateLimit, endWithKey, validate];
  const descs = services.map(({ desc }) => desc);
  return (router: ConnectRouter): void => {
    for (const service of services) service.register(router, { interceptors: [...outer, ...inner] });
    const names = descs.map(({ typeName }) => typeName);
    router.service(Health, healthService(names, missing), { interceptors: outer });
    const reflected = [...descs, Health, ServerReflection];
    router.service(ServerReflection, reflectionService(reflected), { interceptors: outer });
  };
};
