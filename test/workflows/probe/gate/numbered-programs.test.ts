import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RefusalCode, Verdict } from '../../../../workflows/model/gate.ts';
import { keysOfForm, keysOfVerdict } from '../../../../workflows/probe/gate/form-key.ts';
import { createGate, type GateSettings } from '../../../../workflows/probe/gate/gate.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';

const test = suite('numbered programs at the write gate');

const site = 'https://shop.example';
const formAt = (number: number, fields: string) =>
  parsePage(`<form method=post>${fields}<button>Send</button></form>`, `${site}/case/0000${number}`).forms;
const text = '<textarea name=text>as it is</textarea>';
const forms = [1, 2, 3].flatMap((number) => formAt(number, text));
const guarded = formAt(4, `${text}<input type=password name=pass>`);
const addresses = [1, 2, 3, 4, 5].map((number) => `${site}/case/0000${number}`);

/** @param programs those of the addresses that are programs of their own */
function openGate(programs: readonly string[], settings: Partial<GateSettings> = {}) {
  const gate = createGate({ depth: 'deep', writes: 'create', ...settings });
  gate.learn({ forms: [...forms, ...guarded], programs });
  const [first] = forms;
  const verdict: Verdict = 'writes';
  if (first) for (const key of keysOfVerdict(verdict, keysOfForm(first))) gate.observed(key, verdict);
  return gate;
}

const sent = (gate: ReturnType<typeof openGate>, number: number, body: string, type = ''): RefusalCode | 'allowed' => {
  const headers = [['Content-Type', type || 'application/x-www-form-urlencoded']] as const;
  const decision = gate.decide({ method: 'POST', url: `${site}/case/0000${number}`, headers, body });
  return decision.allowed ? 'allowed' : decision.code;
};

test('have no entries: what each takes is tried, though it comes filled in', () => {
  assert.equal(
    [1, 2, 3].map((number) => sent(openGate(addresses), number, 'text=other')),
    ['allowed', 'allowed', 'allowed'],
  );
  assert.ok([1, 2, 3].some((number) => sent(openGate([]), number, 'text=other') === 'others-entry'));
});

test('are entries where the site is no test system', () => {
  const gate = openGate(addresses, { writes: 'reversible' });
  assert.ok([1, 2, 3].every((number) => sent(gate, number, 'text=other') !== 'allowed'));
});

test('are judged by their own forms: one with a password keeps its own address alone from being tried', () => {
  const scripted = { pageUrl: site, action: `${site}/case/00005`, method: 'POST', fields: [] } as const;
  const form = { ...scripted, enctype: 'application/json', fields: [{ name: 'text', type: 'text', value: 'a' }] };
  assert.ok(openGate(addresses).mayObserve(form).allowed);
  assert.is(sent(openGate(addresses), 4, 'text=other&pass=a'), 'sensitive-fields');
});

test('take another name for a field of their own form, whatever those of others take', () => {
  const gate = openGate(addresses);
  const [box] = formAt(5, '<input type=checkbox name=red value=chosen>');
  assert.ok(box);
  gate.learn({ forms: [box] });
  for (const key of keysOfVerdict('reads', keysOfForm(box))) gate.observed(key, 'reads');
  assert.is(sent(gate, 5, 'blue=chosen'), 'allowed');
  assert.is(sent(gate, 5, 'blue=chosen&more=a'), 'not-observed');
});

test.run();
