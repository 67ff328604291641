import { toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { crossOriginRead } from '../../../workflows/chains/cross-origin-read.step.ts';
import { sessionSentAcrossSites } from '../../../workflows/checks/cookies/session-sent-across-sites.check.ts';
import { reflectedOriginWithCredentials } from '../../../workflows/checks/cors/reflected-origin-with-credentials.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import type { ActionOutcome } from '../../../workflows/planner/act.ts';
import { smallestChains } from '../../../workflows/planner/chains.ts';
import { replay } from '../../../workflows/planner/replay.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { apiShop, type DataDesign, dataUsers, portal, startDataSite } from '../../fixtures/data-site.ts';
import { further } from '../../support/further.ts';
import { type Audit, check, fact, openAudit, step, testBrowsers, world } from '../checks/harness.ts';

const test = suite<{ browsers: BrowserPool }>('the chain from a foreign page to the data of a user');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

type OnSite = { audit: Audit; open(): Promise<Audit>; streets(): string[] };

async function onSite<T>(browsers: BrowserPool, design: DataDesign, work: (site: OnSite) => Promise<T>): Promise<T> {
  const site = await startDataSite(design);
  const open = () => openAudit(site.url, { browsers, identities: dataUsers(design) });
  const audit = await open();
  try {
    return await work({ audit, open, streets: site.streets });
  } finally {
    await audit.close();
    await site.close();
  }
}

/** Runs the chain link by link, each on what the checks gave. */
async function chain(audit: Audit) {
  const read = (await check(audit, reflectedOriginWithCredentials)).facts;
  const session = (await check(audit, sessionSentAcrossSites)).facts;
  const facts = [...read, ...session];
  const [first, second] = [read[0], session[0]];
  const shown = first && second ? await step(audit, crossOriginRead, [first, second]) : undefined;
  return { facts, shown };
}

/** What is stored of the proof, as text. */
const kept = (shown?: ActionOutcome): string =>
  (shown?.groups ?? [])
    .flatMap(({ places }) => places.map(({ proof }) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')))
    .join();

const kinds = (facts: readonly Fact[] = []) => facts.map(({ kind }) => kind);

test('a text that a user planted is read by a page of another site, and taken back', async ({ browsers }) => {
  await onSite(browsers, apiShop, async ({ audit, streets }) => {
    const { shown } = await chain(audit);
    assert.equal(
      shown?.facts.map(({ kind, attributes }) => [kind, attributes.goal]),
      [['goal', "read(other user's data)"]],
      shown?.partly?.text,
    );
    assert.ok(audit.writes.length > 0);
    assert.equal([...new Set(audit.writes.map(({ identity }) => identity))], ['A']);
    assert.equal(streets(), ['47 Harbour Street', '3 Orchard Rise']);
    assert.match(kept(shown), /browser:cookies-sent/);
    assert.not.match(kept(shown), /northwind|Harbour|s[0-9a-f]{36}|correct-horse/);
  });
});

further(test)('where nothing can be written, it is a text that the user has already', async ({ browsers }) => {
  await onSite(browsers, portal, async ({ audit }) => {
    const { shown } = await chain(audit);
    assert.equal(kinds(shown?.facts), ['goal'], shown?.partly?.text);
    assert.equal(audit.writes, []);
    assert.match(kept(shown), /browser:cookies-sent/);
    assert.not.match(kept(shown), /northwind|Harbour|s[0-9a-f]{36}/);
  });
});

further(test)('the chain holds when it is replayed from nothing', async ({ browsers }) => {
  await onSite(browsers, apiShop, async ({ audit, open, streets }) => {
    const { facts, shown } = await chain(audit);
    const reached = shown?.facts.find(({ kind }) => kind === 'goal');
    const goals = reached ? [{ factId: reached.id, goal: reached.attributes.goal ?? '' }] : [];
    const [found] = smallestChains(goals, [...facts, ...(shown?.facts ?? [])]).chains;
    assert.equal(found?.links.map(({ actionId }) => actionId).sort(), [
      'chains.cross-origin-read',
      'cookies.session-sent-across-sites',
      'cors.reflected-origin-with-credentials',
    ]);
    const fresh = await open();
    try {
      const registry = registryOf([reflectedOriginWithCredentials, sessionSentAcrossSites], [crossOriginRead]);
      assert.is((await replay(found?.links ?? [], registry, () => world(fresh))).held, true);
      assert.equal(streets(), ['47 Harbour Street', '3 Orchard Rise']);
    } finally {
      await fresh.close();
    }
  });
});

const withCookie = (attributes: string): DataDesign => ({ ...apiShop, cookie: { ...apiShop.cookie, attributes } });
const withHeaders = (allow: DataDesign['allow']): DataDesign => ({ ...apiShop, allow });

const usualBreaks = ['SameSite=Lax'];

for (const [what, design, left] of [
  ['SameSite=Lax', withCookie('Path=/; Secure; SameSite=Lax'), ['cross-origin-read']],
  ['no SameSite, which browsers take for Lax', withCookie('Path=/; Secure'), ['cross-origin-read']],
  ['a partitioned cookie', withCookie('Path=/; Secure; SameSite=None; Partitioned'), ['cross-origin-read']],
  [
    'no credentials',
    withHeaders(({ headers }) => ({ 'access-control-allow-origin': headers.origin ?? '' })),
    ['cross-site-session'],
  ],
  [
    'the wildcard with credentials',
    withHeaders(() => ({ 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' })),
    ['cross-site-session'],
  ],
  [
    'the origin "null" alone',
    withHeaders(() => ({ 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' })),
    ['cross-site-session'],
  ],
  ['no header', withHeaders(() => ({})), ['cross-site-session']],
] as const) {
  const each = usualBreaks.includes(what) ? test : further(test);
  each(`${what} breaks the chain`, async ({ browsers }) => {
    await onSite(browsers, design, async ({ audit }) => {
      const { facts, shown } = await chain(audit);
      assert.equal(kinds(facts), left);
      assert.is(shown, undefined);
      // What was repaired between two looks gives nothing, either.
      const { origin } = new URL(audit.context.surface.url);
      const stale = [
        fact({ kind: 'cross-origin-read', subject: `${origin}/api/me`, attributes: { identity: 'A' } }),
        fact({ kind: 'cross-site-session', subject: origin, attributes: { cookies: 'connect.sid' } }),
      ];
      assert.equal((await step(audit, crossOriginRead, stale)).groups, []);
      assert.equal(audit.writes, []);
    });
  });
}

further(test)('a cookie that is not the one of the session gives nothing', async ({ browsers }) => {
  await onSite(browsers, apiShop, async ({ audit }) => {
    const { origin } = new URL(audit.context.surface.url);
    for (const [subject, cookies] of [
      [origin, 'theme'],
      ['https://other.localhost', 'connect.sid'],
    ] as const) {
      const facts = [
        fact({ kind: 'cross-origin-read', subject: `${origin}/api/me`, attributes: { identity: 'A' } }),
        fact({ kind: 'cross-site-session', subject, attributes: { cookies } }),
      ];
      assert.equal((await step(audit, crossOriginRead, facts)).groups, []);
    }
    assert.equal(audit.writes, []);
  });
});

test.run();
