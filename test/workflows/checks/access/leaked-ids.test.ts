import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorNeighbour } from '../../../../workflows/checks/access/idor-neighbour.check.ts';
import { formOfId, leakedBeside } from '../../../../workflows/checks/access/leaked-ids.ts';
import { type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('identifiers that nobody guesses, and pages name');

const session = 'session-of-henry-1f3a9c';
const idOf = (name: string): string => createHash('sha256').update(`member ${name}`).digest('hex').slice(0, 32);
const keyOf = (name: string): string => createHash('sha1').update(`key ${name}`).digest('hex');
const names = ['greta', 'henry', 'irene'];

type Shown = { reader: string; name: string };
type Design = { mayRead: (shown: Shown) => boolean; account: (name: string) => string; names?: readonly string[] };

/** Articles lead to their authors by random identifiers, which accounts have as well. */
const journal =
  ({ mayRead, account }: Design): Handler =>
  ({ path, query, cookies }: Request) => {
    const reader = cookies.sid === session ? 'henry' : undefined;
    if (path === '/') return html('<h1>Journal</h1><a href="/reviews">Reviews</a><a href="/account">Account</a>');
    if (path === '/reviews') return json(names.map((name) => ({ text: 'Fine.', author: name, authorId: idOf(name) })));
    if (!reader) return { status: 302, headers: { location: '/' } };
    if (path === '/account')
      return html(`<p>Signed in as henry, henry@journal.example</p><a href="/details?id=${idOf('henry')}">Details</a>`);
    const name = names.find((each) => path === '/details' && query.get('id') === idOf(each));
    return name && mayRead({ reader, name }) ? html(account(name)) : html('<h1>Not found</h1>', 404);
  };

async function result(design: Design) {
  const site = await startSite(journal(design));
  const identity = { name: 'A', cookies: { sid: session }, checkPath: '/account', marker: 'Signed in as henry' };
  try {
    return await runOn(site.url, idorNeighbour, { identities: [identity], startPaths: ['/account'] });
  } finally {
    await site.close();
  }
}

const withKey = (name: string): string => `<p>Your username is: ${name}</p><p>Your API key is: ${keyOf(name)}</p>`;
const withMail = (name: string): string => `<p>Name: ${name}</p><p>Mail: ${name}@journal.example</p>`;

for (const [what, design, count] of [
  ['what is private of somebody else is found', { mayRead: () => true, account: withKey }, 1],
  ['each is shown their own alone', { mayRead: ({ reader, name }) => reader === name, account: withKey }, 0],
  ['members see how to reach each other', { mayRead: () => true, account: withMail }, 0],
] satisfies [string, Design, number][])
  further(test)(`by an identifier that a page names: ${what}`, async () => {
    const found = await result(design);
    assert.equal(found.findings.length, count, found.outcome.reason);
  });

const mail = (to: string, id: number) => json({ id, to, subject: 'Hello', body: 'At eight' });
const letters =
  (mayRead: (to: string) => boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Post</h1><a href="/account">Account</a>');
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    if (path === '/account')
      return html('<p>Signed in as henry, henry@journal.example</p><a href="/api/letters/502">Letter</a>');
    const at = [501, 502, 503].findIndex((id) => path === `/api/letters/${id}`);
    const to = names[at];
    return to && mayRead(to) ? mail(to, 501 + at) : html('<h1>Not found</h1>', 404);
  };

for (const [what, mayRead, count] of [
  ['is found', () => true, 1],
  ['is clean where each reads their own alone', (to: string) => to === 'henry', 0],
] as const)
  further(test)(`a name behind a short member of JSON, right behind the number of the object, ${what}`, async () => {
    const site = await startSite(letters(mayRead));
    const identity = { name: 'A', cookies: { sid: session }, checkPath: '/account', marker: 'henry' };
    try {
      const found = await runOn(site.url, idorNeighbour, { identities: [identity], startPaths: ['/account'] });
      assert.equal(found.findings.length, count, found.outcome.reason);
    } finally {
      await site.close();
    }
  });

/** A list of what happened names everything by its random identifier, and leads nowhere. */
const office =
  (kind: string, mayRead: (owner: string) => boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Office</h1><a href="/log">Log</a><a href="/account">Account</a>');
    if (path === '/log') return html(names.map((name) => `<p data-ref="${idOf(name)}">Somebody made one</p>`).join(''));
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    const own = `<p>Signed in as henry, henry@journal.example</p><a href="/${kind}/${idOf('henry')}">Paper</a>`;
    if (path === '/account') return html(own);
    const owner = names.find((name) => path === `/${kind}/${idOf(name)}`);
    return owner && mayRead(owner) ? html(`<p>Customer: ${owner}</p><p>Total 40 EUR</p>`) : html('<h1>None</h1>', 404);
  };

for (const [what, kind, mayRead, count] of [
  ['an invoice, which belongs to one account, is found', 'invoice', () => true, 1],
  ['an invoice that its owner alone reads is clean', 'invoice', (owner: string) => owner === 'henry', 0],
  ['a leaflet may be meant for everybody', 'leaflet', () => true, 0],
] as const)
  test(`by an identifier that a page names without leading there: ${what}`, async () => {
    const site = await startSite(office(kind, mayRead));
    const identity = { name: 'A', cookies: { sid: session }, checkPath: '/account', marker: 'Signed in as henry' };
    try {
      const found = await runOn(site.url, idorNeighbour, { identities: [identity], startPaths: ['/account'] });
      assert.equal(found.findings.length, count, found.outcome.reason);
    } finally {
      await site.close();
    }
  });

test('identifiers are compared with those of their own form', () => {
  const own = '3f2b8c1e-9d4a-4c6b-8f10-2a7e5d90b1c3';
  const other = 'a0e1c9d2-1111-4222-8333-444455556666';
  const leaked = new Map([[formOfId(own) ?? '', [own, other]]]);
  assert.equal(leakedBeside(leaked, own, [])?.values, [other]);
  assert.is(leakedBeside(leaked, own, [other]), undefined);
  assert.is(leakedBeside(leaked, idOf('henry'), []), undefined);
  assert.is(formOfId('1042'), undefined);
  assert.not(leakedBeside(leaked, own, [])?.nobody === own);
});

test.run();
