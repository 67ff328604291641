import { ConnectError } from '@connectrpc/connect';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEndpoint } from './accept.ts';
import type { CoreApi } from './core.ts';
import { usualBodyBytes } from './endpoints.ts';
import { GatewayRefusal, problemOf } from './errors.ts';
import { returned } from './headers.ts';
import { callContext } from './routes.ts';

/** Answers everything that is not a success, unknown paths and methods included, as problem details. */
export function addProblems(app: FastifyInstance, core: CoreApi): void {
  const served = servedBy(app);
  app.setErrorHandler<FastifyError | GatewayRefusal | ConnectError>(async (error, request, reply) =>
    sendProblem(await decisive(error, core, request, reply), request, reply),
  );
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(notServed(served.methodsAt(request.url)), request, reply);
  app.setNotFoundHandler(refuse);
  // Before a body is read: what is wrong with the body of a request that nothing serves does not matter.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return refuse(request, reply);
  });
}

function notServed(allowed: readonly string[]): GatewayRefusal {
  if (allowed.length === 0)
    return new GatewayRefusal('NOT_FOUND', 'There is nothing at this path. Check it: /openapi.json has all paths.');
  const list = allowed.join(', ');
  return new GatewayRefusal('METHOD_NOT_ALLOWED', `The method is not allowed at this path. Use ${list}.`, {
    headers: { allow: list },
  });
}

/**
 * The refusal to answer. What is wrong with a request's form is reported only to a caller who may make it: refusals for
 * the key, the plan, the scope and the rate come first, and core knows those.
 */
async function decisive(error: unknown, core: CoreApi, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { served } = request.routeOptions.config;
  const refusal = asRefusal(error, served?.[0].maxBodyBytes ?? usualBodyBytes);
  if (!(refusal instanceof GatewayRefusal) || !formStatuses.includes(refusal.status) || !served) return refusal;
  // It is not even clear whom the request is for.
  if (refusal.reason === 'BAD_REQUEST') return refusal;
  const endpoint = chooseEndpoint(request.headers.accept, served) ?? served[0];
  try {
    await core.checkAccess(endpoint.rpc, callContext(request, reply));
    return refusal;
  } catch (earlier) {
    return earlier;
  }
}

const formStatuses = [400, 406, 413, 415];

/** Fastify refuses some requests itself while it reads them. */
function asRefusal(error: unknown, maxBodyBytes: number): unknown {
  if (!(error instanceof Error) || error instanceof GatewayRefusal || error instanceof ConnectError) return error;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413)
    return new GatewayRefusal(
      'CONTENT_TOO_LARGE',
      `The request body is larger than ${maxBodyBytes / 1024} KiB. Send a smaller one.`,
    );
  if (status === 415)
    return new GatewayRefusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is not announced as JSON. Send it as application/json in UTF-8.',
    );
  if (status === 400)
    return new GatewayRefusal('INVALID_BODY', 'The request body could not be read. Send the request again.');
  return error;
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request.id);
  // Who has gone has cancelled the call: that is no failure, and nobody reads the answer.
  if (problem.status >= 500 && !reply.raw.destroyed)
    request.log[problem.status === 500 ? 'error' : 'warn']({ err: error }, 'call failed');
  if (error instanceof ConnectError) reply.headers(Object.fromEntries(returned(error.metadata)));
  return reply.code(problem.status).headers(problem.headers).send(JSON.stringify(problem.body));
}

/** What is served, as routes are added from now on. */
function servedBy(app: FastifyInstance): { methodsAt(url: string): string[] } {
  const routes: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: patternOf(url), methods: [method].flat() });
  });
  return {
    methodsAt: (url) => {
      const [path = ''] = url.split('?');
      return [...new Set(routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods))].sort();
    },
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?()[\]\\^$|{}]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
}
