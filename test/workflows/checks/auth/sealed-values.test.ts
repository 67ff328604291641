import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bitFlipping } from '../../../../workflows/checks/auth/bit-flipping.check.ts';
import { paddingOracle } from '../../../../workflows/checks/auth/padding-oracle.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { sealedCookies, sealedText } from '../../../../workflows/checks/sessions/sealed-values.ts';
import { withoutCookiesOf } from '../../../../workflows/checks/visitors/own-surface.ts';
import type { Surface } from '../../../../workflows/model/surface.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { cases as flipped } from '../../../scorecard/cases/standard/auth/bit-flipping.ts';
import { cases as padded } from '../../../scorecard/cases/standard/auth/padding-oracle.ts';
import {
  asStream,
  authenticated,
  inBlocks,
  plainFailures,
  type Sealer,
  startSealedCookie,
} from '../../../scorecard/sites/sealed.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit } from '../harness.ts';

const test = suite('encrypted values that come back changed');

async function found(
  started: Promise<Pick<ScoreSite, 'url' | 'close'>>,
  checks: readonly Check[],
  options: AuditOptions = {},
) {
  const site = await started;
  const audit = await openAudit(site.url, options);
  const before = audit.requests();
  try {
    const ids: string[] = [];
    for (const each of checks) ids.push(...(await check(audit, each)).findings.map(() => each.id));
    return { ids, requests: audit.requests() - before };
  } finally {
    await audit.close();
    await site.close();
  }
}
const both = [paddingOracle, bitFlipping] as Check[];

for (const [cases, subject] of [
  [padded, paddingOracle],
  [flipped, bitFlipping],
] as const)
  for (const each of firstRows(cases, 1)) {
    test(`${each.name}: found`, async () => {
      const { ids } = await found(each.start('vulnerable'), [subject as Check]);
      assert.equal(ids, [subject.id]);
    });
    test(`${each.name}, mended: nothing is found`, async () => {
      const { ids, requests } = await found(each.start('patched'), both);
      assert.equal(ids, []);
      assert.ok(requests < 60, String(requests));
    });
  }

test('the cookies of a session are left to a user before who had the same', async () => {
  const ina = { name: 'ina', checkPath: '/', marker: '', cookies: { sid: randomBytes(24).toString('base64url') } };
  const site = await startSite(() => html('<p>Berths'));
  const audit = await openAudit(site.url, { identities: [ina] });
  try {
    const context = { ...audit.context, visitor: ina.name };
    const names = (surface: Surface) =>
      sealedCookies({ ...context, surface }).map(({ location }) => location.parameter);
    assert.equal(names(context.surface), ['sid']);
    assert.equal(names(withoutCookiesOf(context.surface, [], ['sid'])), []);
  } finally {
    await audit.close();
    await site.close();
  }
});

/** Random identifiers of sessions that the server knows. */
function identifiers(size: number): Sealer {
  const known = new Map<string, string>();
  return {
    seal(text) {
      const made = randomBytes(size);
      known.set(made.toString('hex'), text);
      return made;
    },
    open(bytes) {
      const text = known.get(bytes.toString('hex'));
      if (text === undefined) throw new Error('unknown');
      return text;
    },
  };
}
/** What cannot be decrypted is as good as nothing: a taste, on which nothing hangs. */
const ignored: Sealer = { seal: () => randomBytes(48), open: () => 'guest' };
const notOwner = (text: string) => (text.includes('guest') ? false : undefined);

const clean: [what: string, sealer: Sealer][] = [
  ['identifiers of 32 bytes', identifiers(32)],
  ['identifiers of 48 bytes', identifiers(48)],
  ['a value that is not looked at', ignored],
  ['a stream in which nothing says what its sender may do', asStream()],
];
for (const [what, sealer] of firstRows(clean, 2))
  further(test)(`${what}: nothing is found`, async () => {
    assert.equal((await found(startSealedCookie(sealer, 'guest', notOwner, plainFailures), both)).ids, []);
  });

further(test)('the length of the padding does not matter', async () => {
  for (const length of [31, 32, 30]) {
    const text = 'guest'.padEnd(length, '.');
    const { ids } = await found(
      startSealedCookie(
        inBlocks('aes-128-cbc'),
        text,
        (read) => (/guest/.test(read) ? false : undefined),
        plainFailures,
      ),
      [paddingOracle as Check],
    );
    assert.equal(ids, ['auth.padding-oracle'], String(length));
  }
});

/** The first page gives a ticket, and another one reads it. */
const ticketSite = (sealer: Sealer) =>
  startSite(({ path, cookies }) => {
    if (path === '/') {
      const ticket = `ticket=${sealer.seal('seat=B12;name=visitor').toString('hex')}; Path=/`;
      return html('<h1>Tides</h1><a href="/table">Table</a>', 200, cookies.ticket ? {} : { 'set-cookie': ticket });
    }
    if (path !== '/table') return undefined;
    try {
      const text = sealer.open(Buffer.from(cookies.ticket ?? '', 'hex'));
      return html(text.includes('seat=') ? '<p>High water 04:12</p>' : '<p>Unknown ticket</p>');
    } catch {
      return html('<p>Not a ticket</p>', 400);
    }
  });

further(test)('a page that does not give the value, and reads it, is looked at', async () => {
  const { ids } = await found(ticketSite(inBlocks('aes-128-cbc')), [paddingOracle as Check]);
  assert.equal(ids, ['auth.padding-oracle']);
  const mended = await found(ticketSite(authenticated()), both);
  assert.equal(mended.ids, []);
  assert.ok(mended.requests < 30, String(mended.requests));
});

/** Nobody is given a draft before a form is sent; another page reads it. */
const draftSite = (sealer: Sealer) =>
  startSite(({ method, path, cookies }) => {
    if (path === '/' && method === 'GET')
      return html('<form method="post" action="/draft"><input name="city"><button>Continue</button></form>');
    if (path === '/draft' && method === 'POST') {
      const draft = `draft=${sealer.seal('size=small;city=anywhere').toString('hex')}; Path=/`;
      return html('', 302, { location: '/preview', 'set-cookie': draft });
    }
    if (path !== '/preview') return undefined;
    if (!cookies.draft) return html('<p>No draft</p>');
    try {
      const text = sealer.open(Buffer.from(cookies.draft, 'hex'));
      return html(text.includes('size=') ? '<p>A small parcel</p>' : '<p>An empty draft</p>');
    } catch {
      return html('<p>Not a draft</p>', 500);
    }
  });

further(test)('a value that only the answer to a form gives is looked at', async () => {
  const options = { depth: 'deep', writes: 'create', followsLeads: true } as const;
  const { ids } = await found(draftSite(inBlocks('aes-128-cbc')), [paddingOracle as Check], options);
  assert.equal(ids, ['auth.padding-oracle']);
  assert.equal((await found(draftSite(authenticated()), both, options)).ids, []);
});

test('encodings are read and written as they were', () => {
  const bytes = Buffer.from('00ff80c3a1b2d4e5f6a7b8c9dadbecfd0102030405060708f1f2f3f4f5f6f7f8', 'hex');
  for (const text of [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    encodeURIComponent(bytes.toString('base64')),
    `"${bytes.toString('base64')}"`,
  ]) {
    const codec = sealedText(text);
    assert.equal(codec?.bytes, bytes, text);
    assert.is(codec?.write(bytes), text);
  }
  for (const text of [Buffer.from('{"user":"guest","role":"user"}').toString('base64'), 'a'.repeat(20), 'x%zz', ''])
    assert.is(sealedText(text), undefined, text);
});

test.run();
