import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type Answer = { status?: number; body: unknown };

/** A service that only the site asks. @returns its address, and what ends it */
async function startInner(answer: (url: URL) => Answer): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(new URL(request.url ?? '/', 'http://inner'));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const missing: Answer = { status: 404, body: { error: 'nothing there' } };
const ferries = new Map([
  ['F12', { name: 'Sea Fern', berth: 'North quay' }],
  ['F20', { name: 'Old Marrow', berth: 'South quay' }],
]);
const encoded = (variant: Variant, value: string): string =>
  variant === 'vulnerable' ? value : encodeURIComponent(value);

/** What the inner service answers, with its status, by a library that keeps the address as it is. */
const passedOn = (origin: string, path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = ask(`${origin}${path}`, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 502, text }));
    });
    sent.on('error', reject).end();
  });

export const innerServices: Record<string, { place: string; start: (variant: Variant) => Promise<ScoreSite> }> = {
  'part of the path of an inner request': {
    place: 'GET /api/berths ferry',
    async start(variant) {
      const inner = await startInner(({ pathname }) => {
        if (pathname === '/') return { body: { service: 'harbour-core', parts: ['berths', 'crews'] } };
        const found = ferries.get(/^\/v1\/berths\/([^/]+)$/.exec(pathname)?.[1] ?? '');
        return found ? { body: found } : missing;
      });
      const app = express();
      app.get('/', (_request, response) =>
        response.send('<h1>Harbour</h1><div></div><script>fetch("/api/berths?ferry=F12")</script>'),
      );
      app.get('/api/berths', async ({ query }, response) => {
        const answer = await fetch(`${inner.origin}/v1/berths/${encoded(variant, String(query.ferry))}`);
        response.status(answer.status).json(await answer.json());
      });
      return startApp(app, inner);
    },
  },
  'parameter of an inner request, of which the last counts': {
    place: 'GET /timetable ferry',
    async start(variant) {
      const inner = await startInner(({ searchParams }) => {
        const found = ferries.get(searchParams.getAll('ferry').at(-1) ?? '');
        return found ? { body: found } : missing;
      });
      const app = express();
      app.get('/', (_request, response) => response.send('<h1>Harbour</h1><a href="/timetable?ferry=F12">Times</a>'));
      app.get('/timetable', async ({ query }, response) => {
        const answer = await fetch(`${inner.origin}/find?ferry=${encoded(variant, String(query.ferry))}`);
        if (answer.status !== 200) return void response.status(404).send('<p>No such ferry</p>');
        const { name, berth } = (await answer.json()) as { name: string; berth: string };
        response.send(`<h1>${name}</h1><p>It leaves from ${berth}.</p>`);
      });
      return startApp(app, inner);
    },
  },
  'parameter of an inner request, of which the first counts': {
    place: 'POST /track code',
    async start(variant) {
      const inner = await startInner(({ searchParams }) => {
        const found = ferries.get(searchParams.get('reference') ?? '');
        return found ? { body: found } : missing;
      });
      const app = express();
      const form =
        '<form method="post" action="/track" role="search"><input name="code" value="F12"><button>Search</button></form>';
      app.get('/', (_request, response) => response.send(`<h1>Harbour</h1>${form}`));
      app.post('/track', express.urlencoded({ extended: false }), async ({ body }, response) => {
        const path = `/find?reference=${encoded(variant, String(body.code)).replace(/#.*/s, '')}&fields=all`;
        const { status, text } = await passedOn(inner.origin, path).catch(() => ({ status: 502, text: '{}' }));
        response
          .status(status === 200 ? 200 : 404)
          .send(`<pre>${status === 200 ? text : 'No such ferry'}</pre>${form}`);
      });
      return startApp(app, inner);
    },
  },
};
