import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorWrite } from '../../../../workflows/checks/access/idor-write.check.ts';
import { gainedName } from '../../../../workflows/model/gained-name.ts';
import { people, visitor } from '../../../fixtures/accounts.ts';
import { escapeHtml, type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.idor-write, by forms');

type Name = 'ann' | 'bob';
type Booking = { id: string; owner: Name; note: string };
type Sent = { booking: Booking; sender: Name; token: string };

type Design = {
  /** Whose booking a change goes to; none when it is refused. */
  target(sent: Sent): Name | undefined;
  /** The form names the booking in a hidden field, and has one address for all. */
  isHidden?: boolean;
  /** Each person's form has a secret of the session. */
  hasTokens?: boolean;
  /** Both are led to both bookings. */
  areShared?: boolean;
  /** The form has the price of the booking, too. */
  hasPrice?: boolean;
  /** The texts of both are this one, in accounts that the audit has opened. */
  equal?: string;
  /** The same in accounts that an org gives. */
  equalOfGiven?: string;
};

const names: Record<string, Name> = { [people.ann.name]: 'ann', [people.bob.name]: 'bob' };
const start = (): Booking[] => [
  { id: '41', owner: 'ann', note: 'by the north door' },
  { id: '57', owner: 'bob', note: 'two seats please' },
];
const tokenOf = (name: Name): string => `${name}-secret-of-the-session`;

const startOf = ({ equal }: Pick<Design, 'equal'>): Booking[] =>
  start().map((booking) => ({ ...booking, note: equal ?? booking.note }));

function site({
  equalOfGiven,
  target,
  isHidden = false,
  hasTokens = false,
  areShared = false,
  hasPrice = false,
  equal,
}: Design) {
  const text = equal ?? equalOfGiven;
  const bookings = startOf(text === undefined ? {} : { equal: text });
  const changes: string[] = [];
  const page = (reader: Name, { id, note }: Booking) => {
    const hidden = [...(isHidden ? [['booking', id]] : []), ...(hasTokens ? [['csrf', tokenOf(reader)]] : [])];
    const action = isHidden ? '/bookings/save' : `/bookings/${id}/edit`;
    const price = hasPrice ? '<input name="price" type="number" value="40">' : '';
    const fields =
      hidden.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('') + price;
    return html(
      `<form method="post" action="${action}">${fields}<input name="note" value="${escapeHtml(note)}"><button>Save</button></form>`,
    );
  };
  const handler: Handler = (request) => {
    const { path, method, body } = request;
    if (path === '/') return html('<a href="/bookings">Bookings</a>');
    const reader = names[visitor(request)?.name ?? ''];
    if (!path.startsWith('/bookings')) return undefined;
    if (!reader) return redirect('/');
    const shown = bookings.filter(({ owner }) => areShared || owner === reader);
    if (path === '/bookings')
      return html(`<p>Signed in</p>${shown.map(({ id }) => `<a href="/bookings/${id}/edit">${id}</a>`).join('')}`);
    const sent = new URLSearchParams(body);
    const asked = /^\/bookings\/(\w+)/.exec(path)?.[1] ?? '';
    const booking = bookings.find(({ id }) => id === (asked === 'save' ? sent.get('booking') : asked));
    if (!booking) return undefined;
    if (method === 'GET') return shown.includes(booking) ? page(reader, booking) : html('no', 403);
    const token = sent.get('csrf') ?? '';
    const changed = bookings.find(({ owner }) => owner === target({ booking, sender: reader, token }));
    if (!changed) return html('no', 403);
    changes.push(`${changed.owner} by ${reader}`);
    changed.note = sent.get('note') ?? '';
    return redirect('/bookings');
  };
  return { handler, bookings, changes };
}

const identities = (
  [
    ['A', people.ann],
    ['B', people.bob],
  ] as const
).map(
  ([name, { session }]): TestIdentity => ({
    name,
    cookies: { sid: session },
    checkPath: '/bookings',
    marker: 'Signed in',
  }),
);

const registered = identities.map((each, index) => ({ ...each, name: gainedName('registered', index) }));

async function result(design: Design, writes: AuditOptions['writes'] = 'reversible') {
  const { handler, bookings, changes } = site(design);
  const running = await startSite(handler);
  const own =
    design.equal === undefined ? { identities, writes } : { identities: registered, writes: 'create' as const };
  const audit = await openAudit(running.url, { ...own, startPaths: ['/bookings'] });
  try {
    const found = await check(audit, idorWrite);
    return { ...found, bookings, changes, writes: audit.writes.length, undone: audit.undone.length };
  } finally {
    await audit.close();
    await running.close();
  }
}

const anybody: Design['target'] = ({ booking }) => booking.owner;

for (const [what, design] of firstRows(
  Object.entries({
    'whose address names the object': { target: anybody },
    'whose hidden field names the object': { target: anybody, isHidden: true },
    'with a secret of the session': {
      target: ({ booking, sender, token }: Sent) => (token === tokenOf(sender) ? booking.owner : undefined),
      isHidden: true,
      hasTokens: true,
    },
  }),
  2,
))
  test(`another user's object behind a form ${what} is changed, announced and put back`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal([found.findings[0]?.location?.method, found.findings[0]?.location?.parameter], ['POST', 'note']);
    assert.equal(found.bookings, start());
    assert.ok(found.changes.includes('ann by bob') && !found.changes.includes('bob by ann'));
    assert.is(found.undone, found.writes);
    assert.not.match(stored(found), /north door|two seats|secret-of-the/);
  });

for (const writes of ['create', 'reversible'] as const)
  further(test)(
    `another user's object with a price is ${writes === 'create' ? 'changed on a test system' : 'left alone elsewhere'}`,
    async () => {
      const found = await result({ target: anybody, isHidden: true, hasPrice: true }, writes);
      assert.is(found.findings.length, writes === 'create' ? 1 : 0, found.outcome.reason);
      assert.equal(found.bookings, start());
      assert.is(found.undone, found.writes);
    },
  );

further(test)('equal texts of accounts that an org gives are recognised by a mark on a test system', async () => {
  const site = { target: anybody, isHidden: true, equalOfGiven: 'by the pier' };
  const found = await result(site, 'create');
  assert.is(found.findings.length, 1, found.outcome.reason);
  assert.equal(
    found.bookings.map(({ note }) => note),
    ['by the pier', 'by the pier'],
  );
  assert.is(found.undone, found.writes);
  const elsewhere = await result(site);
  assert.equal([elsewhere.findings.length, elsewhere.writes], [0, 0], elsewhere.outcome.reason);
});

further(test)('an object with a price that its owner alone may change is clean', async () => {
  const target: Design['target'] = ({ booking, sender }) => (booking.owner === sender ? sender : undefined);
  const found = await result({ target, isHidden: true, hasPrice: true }, 'create');
  assert.is(found.findings.length, 0, found.outcome.reason);
});

for (const equal of firstRows(['', 'nothing yet'], 1))
  for (const isHidden of [false, true])
    further(test)(
      `equal texts "${equal}" of accounts of the audit's own are recognised by a mark, ${isHidden ? 'hidden' : 'in the address'}`,
      async () => {
        const design = { target: anybody, isHidden, equal };
        const found = await result(design);
        assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
        assert.equal(found.bookings, startOf(design));
        assert.is(found.undone, found.writes);
      },
    );

const clean: Record<string, Design> = {
  'that lets owners alone change them': {
    target: ({ booking, sender }) => (booking.owner === sender ? sender : undefined),
  },
  'that changes the object of whoever sends, whatever the form names': { target: ({ sender }) => sender },
  'that takes no changes': { target: () => undefined },
  'whose objects are shared by all users': { target: anybody, areShared: true },
};
for (const [which, design] of firstRows(Object.entries(clean), 1))
  for (const isHidden of [false, true])
    for (const equal of [undefined, ''])
      test(`a site ${which} is clean, ${isHidden ? 'by a hidden field' : 'by the address'}${equal === '' ? ', with equal texts' : ''}`, async () => {
        const tried = { ...design, isHidden, ...(equal === undefined ? {} : { equal }) };
        const found = await result(tried);
        assert.is(found.findings.length, 0, found.outcome.reason);
        assert.equal(found.bookings, startOf(tried));
        assert.is(found.undone, found.writes);
      });

test.run();
