import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addObservations, findObservations } from '../../../../workflows/activities/gate-knowledge.ts';
import type { Verdict } from '../../../../workflows/model/gate.ts';
import { keysOfForm, keysOfVerdict } from '../../../../workflows/probe/gate/form-key.ts';
import { createKnown } from '../../../../workflows/probe/gate/knowledge.ts';

const test = suite('verdicts of several observations');

/** Of two verdicts on one form, in either order, what holds. */
const table: [Verdict, Verdict, Verdict][] = [
  ['reads', 'reads', 'reads'],
  ['reads', 'unknown', 'unknown'],
  ['reads', 'writes', 'writes'],
  ['unknown', 'writes', 'writes'],
];

/** Where a run keeps its artifacts. */
function artifacts() {
  const kept = new Map<string, Uint8Array>();
  return {
    findArtifact: async (name: string) => kept.get(name),
    async putArtifact(name: string, _type: string, content: Uint8Array) {
      kept.set(name, content);
      return name;
    },
  };
}

const places = ['', '?page=3', '?do=view'];
const keysAt = (place: string) =>
  keysOfForm({ method: 'POST', action: `http://shop.localhost/ask${place}`, fields: [] });

for (const [one, other, expected] of table)
  test(`${one} and ${other} make ${expected}, in the gate, and in what the run keeps`, async () => {
    for (const place of places)
      for (const verdicts of [
        [one, other],
        [other, one],
      ]) {
        const keys = keysAt(place);
        const known = createKnown();
        const run = artifacts();
        for (const verdict of verdicts) {
          for (const key of keysOfVerdict(verdict, keys)) known.observe(key, verdict);
          await addObservations(run, Object.fromEntries(keysOfVerdict(verdict, keys).map((key) => [key, verdict])));
        }
        assert.is(known.verdictOn(keys), expected, `gate ${place} ${verdicts.join()}`);
        const later = createKnown();
        later.learn({ observations: await findObservations(run) });
        assert.is(later.verdictOn(keys), expected, `run ${place} ${verdicts.join()}`);
      }
  });

test('a form that stays undecided at one place leaves what only reads at another place as it is', () => {
  const known = createKnown();
  for (const key of keysOfVerdict('reads', keysAt('?do=view'))) known.observe(key, 'reads');
  for (const key of keysOfVerdict('unknown', keysAt('?do=list'))) known.observe(key, 'unknown');
  assert.is(known.verdictOn(keysAt('?do=view')), 'reads');
  assert.is(known.verdictOn(keysAt('?do=list')), 'unknown');
});

test('a form whose field has a name by chance is the same in each session', () => {
  const keyWith = (name: string) =>
    keysOfForm({ method: 'POST', action: 'http://shop.localhost/ask', fields: [{ name, type: 'text', value: '' }] });
  assert.equal(keyWith('2e22e7f0736115'), keyWith('cb461588703287'));
  for (const name of ['decade', 'deadbeefface', '202611281200', 'c0ffee'])
    assert.is.not(keyWith(name).key, keyWith('2e22e7f0736115').key, name);
});

test.run();
