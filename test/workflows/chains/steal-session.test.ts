import { toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { stealSession } from '../../../workflows/chains/steal-session.step.ts';
import { sessionReadableByScript } from '../../../workflows/checks/cookies/session-readable-by-script.check.ts';
import { reflectedXss } from '../../../workflows/checks/injection/reflected-xss.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { goalsIn } from '../../../workflows/planner/act.ts';
import { smallestChains } from '../../../workflows/planner/chains.ts';
import { replay } from '../../../workflows/planner/replay.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../fixtures/members.ts';
import { escapeHtml, type Handler, html, startSite } from '../../fixtures/site.ts';
import { further, usualRows } from '../../support/further.ts';
import { type Audit, check, openAudit, step, testBrowsers } from '../checks/harness.ts';

const test = suite<{ browsers: BrowserPool }>('the chain from a link to a session');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const readable: MembersDesign = { ...sound, attributes: 'Path=/' };

/** The members' site with a search whose page shows the term as `show` does. */
function withSearch(design: MembersDesign, show: (term: string) => string): Handler {
  const members = membersSite(design);
  return (request) => {
    if (request.path === '/find') return html(show(request.query.get('q') ?? ''));
    const answer = members(request);
    if (request.path !== '/' || !answer) return answer;
    return { ...answer, body: `${String(answer.body)}<a href="/find?q=lamp">Lamps</a>` };
  };
}

async function onSite<T>(
  browsers: BrowserPool,
  design: MembersDesign,
  show: (term: string) => string,
  work: (audit: Audit, open: () => Promise<Audit>) => Promise<T>,
): Promise<T> {
  const site = await startSite(withSearch(design, show));
  const open = () => openAudit(site.url, { browsers, identities: [memberOf(design)] });
  const audit = await open();
  try {
    return await work(audit, open);
  } finally {
    await audit.close();
    await site.close();
  }
}

async function chain(audit: Audit) {
  const facts = [...(await check(audit, reflectedXss)).facts, ...(await check(audit, sessionReadableByScript)).facts];
  return { facts, shown: facts.length === 2 ? await step(audit, stealSession, facts) : undefined };
}

const pages: Record<string, (term: string) => string> = {
  'in text': (term) => `<p>Results for ${term}</p>`,
  'in a string of a script': (term) => `<script>var term = '${term.replace(/[<>]/g, '')}';</script>`,
};

for (const [where, show] of usualRows(pages, ['in text'])) {
  test(`a session is taken over by script that comes back ${where}`, async ({ browsers }) => {
    const { facts, shown } = await onSite(browsers, readable, show, chain);
    assert.equal(
      facts.map(({ kind }) => kind),
      ['script-execution', 'readable-session'],
    );
    assert.equal(
      shown?.facts.map(({ kind, attributes }) => [kind, attributes.goal]),
      [['goal', 'account takeover']],
      shown?.partly?.text,
    );
    const proofs = shown?.groups.flatMap(({ places }) => places.map(({ proof }) => proof)) ?? [];
    const kept = proofs.map((proof) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')).join();
    assert.match(kept, /document\.cookie/);
    assert.not.match(kept, /sess[0-9a-f]{32}|correct-horse/);
  });
}

further(test)('the chain holds when it is replayed from nothing', async ({ browsers }) => {
  const held = await onSite(browsers, readable, pages['in text'] ?? String, async (audit, open) => {
    const { facts, shown } = await chain(audit);
    const reached = shown?.facts ?? [];
    const [found] = smallestChains(goalsIn(reached), [...facts, ...reached]).chains;
    const fresh = await open();
    try {
      const { context } = fresh;
      const world = { context, prove: (experiment: Parameters<typeof prove>[0]) => prove(experiment, context) };
      const registry = registryOf([reflectedXss, sessionReadableByScript], [stealSession]);
      return found && (await replay(found.links, registry, () => world));
    } finally {
      await fresh.close();
    }
  });
  assert.is(held?.held, true);
});

test('a cookie that script cannot read breaks the chain', async ({ browsers }) => {
  const { facts } = await onSite(browsers, sound, pages['in text'] ?? String, chain);
  assert.equal(
    facts.map(({ kind }) => kind),
    ['script-execution'],
  );
});

further(test)('an escaped value breaks the chain', async ({ browsers }) => {
  const { facts } = await onSite(browsers, readable, (term) => `<p>${escapeHtml(term)}</p>`, chain);
  assert.equal(
    facts.map(({ kind }) => kind),
    ['readable-session'],
  );
});

further(test)('a cookie that was repaired in between gives nothing', async ({ browsers }) => {
  const { facts } = await onSite(browsers, readable, pages['in text'] ?? String, chain);
  const shown = await onSite(browsers, sound, pages['in text'] ?? String, (audit) => {
    const { origin } = new URL(audit.context.surface.url);
    const moved = facts.map((each) => ({
      ...each,
      subject: origin,
      attributes: { ...each.attributes, address: (each.attributes.address ?? '').replace(/^https?:\/\/[^/]+/, origin) },
    }));
    return step(audit, stealSession, moved);
  });
  assert.is(shown.groups.length, 0);
});

test.run();
