import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Chain } from '../../../workflows/planner/chains.ts';
import { holdingChains } from '../../../workflows/planner/holding.ts';
import type { Replay } from '../../../workflows/planner/replay.ts';
import type { TreeFact } from '../../../workflows/planner/tree.ts';

const holding = suite('the chains that hold');

const fact = (id: string, actionId: string, parents: string[] = []): TreeFact => ({
  id,
  kind: id,
  subject: id,
  parents,
  actionId,
});
const goals = [{ goal: 'code', factId: 'goal' }];
const facts = [
  fact('key1', 'x.file'),
  fact('key2', 'x.file'),
  fact('word', 'x.guess'),
  fact('goal', 'chains.run', ['key1']),
  fact('goal', 'chains.run', ['key2']),
  fact('goal', 'chains.run', ['word']),
  fact('more', 'chains.more', ['word']),
  fact('goal', 'chains.run', ['more']),
];

const holds = (): Replay => ({ held: true, links: [] });
const breaksAt = ({ links }: Chain, factId: string): Replay => {
  const broken = links.find((link) => link.fact.id === factId);
  return broken ? { held: false, broken } : holds();
};

/** Replays with answers of the test's own, and reports what was replayed: "fact fact goal". */
async function replayAll(answer: (chain: Chain, kindsLeft: number) => Replay, maxReplays = 10) {
  const replayed: string[] = [];
  const result = await holdingChains(goals, facts, {
    maxReplays,
    width: 1,
    isWriting: () => false,
    async attempt(chain, kindsLeft) {
      replayed.push(chain.links.map(({ fact: { id } }) => id).join(' '));
      return answer(chain, kindsLeft);
    },
  });
  return { ...result, replayed };
}

holding('each kind is replayed once when it holds, and knows how many wait', async () => {
  const waiting: number[] = [];
  const { held, replayed, left } = await replayAll((_chain, kindsLeft) => {
    waiting.push(kindsLeft);
    return holds();
  });
  assert.equal(replayed.sort(), ['key1 goal', 'word goal']);
  assert.equal([held.length, left.length, waiting], [2, 0, [2, 1]]);
});

holding('a chain that breaks frees its slot for another one of its kind', async () => {
  const { held, replayed, notHeld } = await replayAll((chain) => breaksAt(chain, 'key1'));
  assert.equal(replayed, ['key1 goal', 'word goal', 'key2 goal']);
  assert.equal(notHeld, []);
  assert.equal(held.map(({ links }) => links[0]?.fact.id).sort(), ['key2', 'word']);
});

holding('a kind that was hidden by a smaller one comes up when that one breaks', async () => {
  const { held } = await replayAll((chain) =>
    chain.links.length === 2 && chain.links[0]?.fact.id === 'word' ? breaksAt(chain, 'goal') : holds(),
  );
  assert.ok(held.some(({ links }) => links.map(({ fact: { id } }) => id).join(' ') === 'word more goal'));
});

holding('what is refuted everywhere ends', async () => {
  const { held, left, notLooked, notHeld } = await replayAll((chain) => breaksAt(chain, 'goal'), 100);
  assert.equal([held, left, notLooked], [[], [], []]);
  assert.ok(notHeld.length > 0 && notHeld.every(({ broken }) => broken.fact.id === 'goal'));
});

holding('a chain that could not be looked at is reported with the reason, and not tried for ever', async () => {
  const { notLooked, replayed } = await replayAll(() => ({
    held: false,
    partly: { code: 'budget', count: 1, text: 'no request is left' },
  }));
  assert.is(replayed.length, 2);
  assert.equal(
    notLooked.map(({ why }) => why.code),
    ['budget', 'budget'],
  );
});

holding(
  'kinds for which no replay is left are reported, and those never tried go before those that broke',
  async () => {
    const { left, held, replayed } = await replayAll((chain) => breaksAt(chain, 'key1'), 2);
    assert.equal(replayed, ['key1 goal', 'word goal']);
    assert.equal([held.length, left.length], [1, 1]);
  },
);

/** Replays two at a time, each until as many wait as can, and reports how many were in progress at each one's begin. */
async function replayBeside(isWriting: (chain: Chain) => boolean) {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  let inHand = 0;
  const { held } = await holdingChains(goals, facts, {
    maxReplays: 10,
    width: 2,
    isWriting,
    async attempt(chain) {
      inHand += 1;
      begun.push(`${chain.links[0]?.fact.id} ${inHand}`);
      const isPartnerExpected = !isWriting(chain) && inHand < 2 && begun.length < 2;
      if (isPartnerExpected) await new Promise<void>((resolve) => waiting.push(resolve));
      for (const go of waiting.splice(0)) go();
      inHand -= 1;
      return holds();
    },
  });
  return { begun, held: held.map(({ links }) => links[0]?.fact.id) };
}

holding('chains that only look are replayed beside each other, and reported in one order', async () => {
  const { begun, held } = await replayBeside(() => false);
  assert.equal(
    [begun, held],
    [
      ['key1 1', 'word 2'],
      ['key1', 'word'],
    ],
  );
});

holding('a chain that changes the target is replayed when no other is', async () => {
  const { begun } = await replayBeside(() => true);
  assert.equal(begun, ['key1 1', 'word 1']);
});

holding('a replay that fails is the failure of all, after the others have ended', async () => {
  let ended = false;
  const replaying = holdingChains(goals, facts, {
    maxReplays: 10,
    width: 2,
    isWriting: () => false,
    async attempt(chain) {
      if (chain.links[0]?.fact.id === 'key1') throw new Error('the worker is gone');
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
      return holds();
    },
  });
  const error = await replaying.catch((thrown: unknown) => thrown);
  assert.equal([error instanceof Error && error.message, ended], ['the worker is gone', true]);
});

holding.run();
