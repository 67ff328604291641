import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const seen = { pages: new Set<string>(), inputs: new Set<string>() };

/** Notes what checks are given. */
const looking = checkLike({
  id: 'words.looking',
  detect: ({ surface }) => {
    for (const { url } of surface.pages) seen.pages.add(new URL(url).pathname);
    for (const { method, route, parameter } of surface.inputs) seen.inputs.add(`${method} ${route} ${parameter}`);
    return [];
  },
});

type World = { bench: Workbench; site: Site; bookings: Map<string, string>; quotes: URLSearchParams[] };
const test = suite<World>('forms of several steps');

const form = (path: string, fields: string) =>
  `<form method="post" action="${path}">${fields}<button>Next</button></form>`;

/** A booking in two steps, and a receipt at the end that no other page leads to. */
test.before(async (world) => {
  world.bookings = new Map();
  world.quotes = [];
  world.site = await openSite(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const [, step = '', id = ''] = pathname.split('/');
    const seeOther = (path: string) => response.writeHead(303, { location: path }).end();
    if (pathname === '/') return page(response, '<a href="/book">Book a table</a> <a href="/quote">Prices</a>');
    if (step === 'quote' && request.method === 'POST') {
      const sent = new URLSearchParams(body);
      const guests = sent.get('guests');
      world.quotes.push(sent);
      if (sent.has('discount')) return page(response, '<p>No such discount</p>');
      return page(
        response,
        form('/quote/lower', `<input type="hidden" name="guests" value="${guests}"><input name="discount">`),
      );
    }
    if (pathname === '/quote') return page(response, form('/quote', '<input name="guests">'));
    if (pathname === '/book' && request.method === 'POST') {
      const made = `${4711 + world.bookings.size}`;
      world.bookings.set(made, new URLSearchParams(body).get('guest') ?? '');
      return seeOther(`/seats/${made}`);
    }
    if (pathname === '/book') return page(response, form('/book', '<input name="guest">'));
    if (!world.bookings.has(id)) return page(response, 'none', 404);
    if (step === 'seats' && request.method === 'POST') return seeOther(`/receipts/${id}`);
    if (step === 'seats') return page(response, form(pathname, '<input name="remark">'));
    return page(response, `<p>Booked for ${world.bookings.get(id)}</p><a href="${pathname}?paper=a4">Print</a>`);
  });
  world.bench = await openWorkbench(registryOf([looking], []));
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

test('what a form leads to, step by step, is seen with its inputs', async ({ bench, site }) => {
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/`, depth: Depth.DEEP });
  await bench.until(runId, hasEnded);
  const pages = [...seen.pages];
  assert.ok(
    pages.some((path) => path.startsWith('/receipts/')),
    pages.join(),
  );
  const inputs = [...seen.inputs];
  assert.ok(
    inputs.some((input) => /^GET \S*receipts\S* paper$/.test(input)),
    inputs.join(),
  );
});

test('a form that only the answer to another one shows is seen and sent', async ({ quotes }) => {
  assert.ok([...seen.inputs].includes('POST /quote/lower discount'), [...seen.inputs].join());
  assert.ok(quotes.some((sent) => sent.has('discount') && sent.get('guests') !== ''));
});

test.run();
