import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import { type Person, people, visitor } from '../../../fixtures/accounts.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { runOn, type TestIdentity } from '../harness.ts';

const test = suite('access.idor-read, by lists of what is one’s own');

const { ann, bob } = people;
const identities = ([ann, bob] as const).map(
  ({ name, session }, index): TestIdentity => ({
    name: index === 0 ? 'A' : 'B',
    cookies: { sid: session },
    checkPath: '/account',
    marker: name,
  }),
);

/** A site on which Ann has two things of a kind, and Bob has none; nothing on them says whose they are. */
type Design = {
  kind?: string;
  list?: string;
  /** What stands above the list for a reader. */
  head?(reader: Person): string;
  mayRead?(reader: Person | undefined): boolean;
  /** What a search on the list finds, for anybody. */
  finds?(words: string): string;
};

const things = [7041, 7047];
const contents: Record<number, string> = { 7041: 'Blue teapot to 9 Mill Lane', 7047: 'Oolong 250 g to 3 Hill Road' };

function site({ kind = 'orders', list = `/${kind}`, head, mayRead = (reader) => reader !== undefined, finds }: Design) {
  const link = (number: number) => `<li><a href="/${kind}/${number}">Number ${number}</a></li>`;
  const handler: Handler = (request): Answer | undefined => {
    const { path, query } = request;
    const reader = visitor(request);
    if (path === '/') return html('<h1>Tea</h1><a href="/account">Account</a>');
    const number = Number(/\/(\d+)$/.exec(path)?.[1]);
    const text = contents[number];
    if (path === `/${kind}/${number}` && text !== undefined)
      return mayRead(reader) ? html(`<h1>Number ${number}</h1><p>${text}</p>`) : html('<h1>Not here</h1>', 404);
    if (!reader) return { status: 302, headers: { location: '/' } };
    if (path === '/account') return html(`<p>Signed in as ${reader.name}</p><a href="${list}">Yours</a>`);
    if (path !== list) return undefined;
    const words = query.get('q');
    if (words !== null && finds) return html(`<ul>${finds(words)}</ul>`);
    const own = reader.name === ann.name ? things.map(link).join('') : '<li>Nothing yet.</li>';
    return html(`${head?.(reader) ?? ''}<h1>Yours</h1><ul>${own}</ul>`);
  };
  return handler;
}

async function result(design: Design) {
  const started = await startSite(site(design));
  try {
    return await runOn(started.url, idorRead, { identities, startPaths: ['/account'] });
  } finally {
    await started.close();
  }
}

for (const [what, design] of firstRows(
  [
    ['orders above which each has a list', {}],
    ['notes that an account of another name lists', { kind: 'note', list: '/my-notes' }],
    [
      'orders beside a search that finds the reader nothing',
      { head: () => '<form action="/orders"><input name="q"></form>', finds: () => '<li>Nothing</li>' },
    ],
  ] satisfies [string, Design][],
  1,
))
  test(`of a reader who has none, ${what} are found`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });

const searched = (words: string) =>
  things.includes(Number(words)) ? `<li><a href="/orders/${words}">Number ${words}</a></li>` : '<li>Nothing</li>';

for (const [what, design] of firstRows(
  [
    ['orders that their owner alone may read', { mayRead: (reader: Person | undefined) => reader?.name === ann.name }],
    ['orders that everybody may read', { mayRead: () => true }],
    ['pages of a wiki that one has opened lately', { kind: 'pages', list: '/recent-pages' }],
    ['tickets of a team, of which each is listed their own', { kind: 'tickets' }],
    [
      'orders that everybody finds by their number',
      { head: () => '<form action="/orders"><input name="q"></form>', finds: searched },
    ],
    [
      'orders to a reader with more rights',
      { head: ({ name }: Person) => (name === bob.name ? '<a href="/orders-to-pack">All orders to pack</a>' : '') },
    ],
  ] satisfies [string, Design][],
  2,
))
  test(`${what} are no finding`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

test.run();
