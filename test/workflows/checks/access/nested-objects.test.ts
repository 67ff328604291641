import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('access.idor-read, below what is the reader’s own');

type Bill = { id: number; firm: number; for: string };
const firms = [
  { id: 31, session: 'session-of-ina-4be1', name: 'Ina Holt' },
  { id: 32, session: 'session-of-tom-90ac', name: 'Tom Rask' },
];

type Design = {
  bills: Bill[];
  /** Whether a bill is given out below a firm. */
  isShown(bill: Bill, firm: number): boolean;
  isOpen?: true;
};

/** Whoever asks has to be of the firm in the address; of the bill below it the site asks what `isShown` says. */
const site =
  ({ bills, isShown, isOpen }: Design): Handler =>
  ({ path, cookies }) => {
    const own = firms.find(({ session }) => session === cookies.sid);
    if (path === '/') return html('<h1>Bills</h1><a href="/account">Account</a>');
    if (path === '/account') {
      if (!own) return { status: 302, headers: { location: '/' } };
      const links = bills
        .filter(({ firm }) => firm === own.id)
        .map(({ id }) => `<a href="/firms/${own.id}/bills/${id}">Bill</a>`);
      return html(`<p>Signed in as ${own.name}</p>${links.join('')}`);
    }
    const [, firm, id] = /^\/firms\/(\d+)\/bills\/(\d+)$/.exec(path) ?? [];
    if (firm === undefined) return undefined;
    if (!isOpen && own?.id !== Number(firm)) return json({ error: 'not yours' }, own ? 403 : 401);
    const bill = bills.find((each) => each.id === Number(id));
    return bill && isShown(bill, Number(firm)) ? json(bill) : json({ error: 'no such bill' }, 404);
  };

async function found(design: Design) {
  const running = await startSite(site(design));
  const identities = firms.map(({ session, name }, index) => ({
    ...{ name: index === 0 ? 'A' : 'B', cookies: { sid: session }, checkPath: '/account', marker: name },
  }));
  try {
    const { findings } = await runOn(running.url, idorRead, { identities, startPaths: ['/account'] });
    return findings.flatMap(({ location, locations = [] }) => [location, ...locations]).length > 0;
  } finally {
    await running.close();
  }
}

const bills = [
  { id: 40_014, firm: 31, for: 'Roof of the boat shed' },
  { id: 40_021, firm: 32, for: 'Two oak doors, varnished' },
];
const alike = bills.map((bill) => ({ ...bill, for: 'Membership of this year' }));

test('a bill that the program takes by its number alone is read below the firm of somebody else', async () => {
  assert.ok(await found({ bills, isShown: () => true }));
});

test('of bills that read alike, the firm that they name says whose they are', async () => {
  assert.ok(await found({ bills: alike, isShown: () => true }));
});

test('a bill that is given out below its own firm alone is no finding, nor is one that everybody can read', async () => {
  assert.not(await found({ bills, isShown: (bill, firm) => bill.firm === firm }));
  assert.not(await found({ bills, isShown: () => true, isOpen: true }));
});

test.run();
