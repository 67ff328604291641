import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../workflows/checks/contract.ts';
import { notRun } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import { actCheck, goalsIn } from '../../../workflows/planner/act.ts';
import { smallestChains } from '../../../workflows/planner/chains.ts';
import { linksOnce, replay } from '../../../workflows/planner/replay.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openAudit, world } from '../checks/harness.ts';
import { bodyHas, checkLike, stepLike } from '../support/checks.ts';

const replays = suite('replay of a chain');

/** Three pages, of which the check proves those that say so; each is a finding and a fact of its own. */
const paths = ['/one', '/two', '/three'];
const openPages = (changes: Partial<Check> = {}): Check =>
  checkLike({
    id: 'test.open',
    detect: ({ surface }) => paths.map((path) => ({ location: { url: new URL(path, surface.url).href } })),
    confirm: (_context, { location }) => bodyHas(location.url, 'open'),
    gives: { kinds: ['page'], facts: ({ location }) => [{ kind: 'page', subject: location.url, attributes: {} }] },
    ...changes,
  });
const enter = stepLike({
  id: 'chains.enter',
  needs: [{ kind: 'page' }],
  goal: 'code',
  detect: (_context, [page]) => (page ? [{ location: { url: `${page.subject}?enter` } }] : []),
  confirm: (_context, { location }) => bodyHas(location.url, 'open'),
});

/** Finds the chain over one page, lets the site change, and replays it with another version of the check. */
async function replayOver(
  path: string,
  options: { meanwhile?: () => void; again?: Partial<Check>; closed?: Set<string>; knownPath?: string; times?: number },
) {
  const closed = options.closed ?? new Set<string>();
  const asked: string[] = [];
  const site = await startSite((request) => {
    asked.push(request.path);
    if (request.path === '/') return html('<p>home</p>');
    return paths.includes(request.path) && !closed.has(request.path) ? html('open') : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { facts } = await actCheck(openPages(), world(audit));
    const page = facts.find(({ subject }) => subject.endsWith(path));
    if (!page) throw new Error(`${path} was not proven`);
    const goal: Fact = {
      id: 'goal',
      kind: 'goal',
      subject: `${page.subject}?enter`,
      attributes: { goal: 'code' },
      parents: [page.id],
      actionId: enter.id,
    };
    const [chain] = smallestChains(goalsIn([goal]), [page, goal]).chains;
    if (!chain) throw new Error('there is no chain');
    options.meanwhile?.();
    asked.length = 0;
    const { knownPath } = options;
    const placeOf = async ({ fact }: { fact: Pick<Fact, 'id'> }) =>
      knownPath === undefined || fact.id !== page.id ? undefined : { location: { url: site.url + knownPath } };
    const registry = registryOf([openPages(options.again)], [enter]);
    const share = linksOnce();
    const replayed = () => replay(chain.links, registry, () => world(audit), placeOf, share);
    const [result = await replayed()] = await Promise.all(Array.from({ length: options.times ?? 1 }, replayed));
    return { result, asked };
  } finally {
    await audit.close();
    await site.close();
  }
}

replays('goes straight to a place that is known, and proves it anew', async () => {
  const detect = () => {
    throw new Error('it looked for places');
  };
  const { result, asked } = await replayOver('/two', { knownPath: '/two', again: { detect } });
  assert.is(result.held, true);
  assert.ok(asked.filter((path) => path === '/two').length >= 2);
});

replays('looks for the place again when the one that is known shows nothing', async () => {
  const { result } = await replayOver('/two', { knownPath: '/gone' });
  assert.is(result.held, true);
});

replays('shows each link again with the place that gave its fact, and proves no other', async () => {
  const { result, asked } = await replayOver('/two', {});
  if (!result.held) throw new Error('it did not hold');
  assert.equal(
    result.links.map(({ place }) => new URL(place.candidate.location.url).pathname),
    ['/two', '/two'],
  );
  assert.ok(result.links.every(({ place }) => place.proof.control.length > 0 && place.proof.curl !== ''));
  assert.equal([asked.includes('/one'), asked.includes('/three')], [false, false]);
});

replays(
  'shows a link once for all that run beside each other, unless it changes the target or was not shown',
  async () => {
    const looks = async (changes: Partial<Check>) => {
      let count = 0;
      const detect: Check['detect'] = (context) => {
        count += 1;
        return openPages().detect(context);
      };
      const { result } = await replayOver('/two', { times: 3, again: { detect, ...changes } });
      return [result.held, count];
    };
    assert.equal(await looks({}), [true, 1]);
    assert.equal(await looks({ risk: 'caution' }), [true, 3]);
    assert.equal(await looks({ confirm: () => undefined }), [false, 3]);
  },
);

replays('names the link that is not shown again', async () => {
  const closed = new Set<string>();
  const { result } = await replayOver('/two', { closed, meanwhile: () => closed.add('/two') });
  assert.is(result.held, false);
  if (result.held) return;
  assert.is(result.broken?.actionId, 'test.open');
  assert.is(result.partly, undefined);
});

replays('says when a link could not be looked at, which refutes nothing', async () => {
  const { result } = await replayOver('/two', {
    again: { detect: () => notRun('browser_unavailable', 'there is no browser') },
  });
  assert.equal([result.held, !result.held && result.partly?.text], [false, 'there is no browser']);
});

replays('a link whose action is gone is not shown', async () => {
  const { result } = await replayOver('/two', { again: { id: 'test.renamed' } });
  assert.is(!result.held && result.broken?.actionId, 'test.open');
});

replays.run();
