import type { Shop } from './shop.ts';
import type { App } from './visit.ts';

/** TRACE, as web servers with everything on answer it: with the request. Source: RFC 9110 §9.3.8. */
export function traceMethod(app: App, shop: Shop): void {
  if (!shop.weaknesses.requestsTraced) return;
  app.route({
    method: 'TRACE',
    url: '*',
    handler: (request, reply) => {
      const { rawHeaders } = request.raw;
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
      return reply.type('message/http').send([`TRACE ${request.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    },
  });
}
