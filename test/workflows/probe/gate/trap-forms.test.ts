import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface } from '../../../../workflows/model/surface.ts';
import { keysOfForm, keysOfVerdict } from '../../../../workflows/probe/gate/form-key.ts';
import { createGate, type GateSettings } from '../../../../workflows/probe/gate/gate.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';
import { additions, ownAdditions, tools } from '../../../fixtures/traps/tables/additions.ts';
import { settings } from '../../../fixtures/traps/tables/administration.ts';
import { pages } from '../../../fixtures/traps/tables/all.ts';
import type { TrapPage } from '../../../fixtures/traps/trap.ts';

const test = suite('the gate at the forms of the traps');

const origin = 'http://site.localhost';
const formsOf = ({ path, traps }: TrapPage): FormSurface[] =>
  parsePage(traps.map(({ control }) => control).join('\n'), origin + path).forms;
const gateFor = (writes: GateSettings['writes'], forms: readonly FormSurface[]) => {
  const gate = createGate({ depth: 'deep', writes });
  gate.learn({ forms });
  gate.noteSession(['session-of-anna'], 'user');
  gate.noteSession(['session-of-root'], 'admin');
  return gate;
};
const nameOf = ({ method, action }: FormSurface) => `${method} ${new URL(action).pathname}`;
const sentAs = (session: string, { method, action, fields }: FormSurface) => {
  const body = new URLSearchParams(fields.map(({ name, value }) => [name, value || 'a1'])).toString();
  const headers: [string, string][] = [
    ['Cookie', `sid=${session}`],
    ...(method === 'POST' ? [['Content-Type', 'application/x-www-form-urlencoded'] as [string, string]] : []),
  ];
  return method === 'POST' ? { method, url: action, headers, body } : { method, url: `${action}?${body}`, headers };
};

/** What its button alone says: "Import", "Join", "Enrol me". */
const plain = /^(?:import|subscribe|join|enroll?|verify|redeem)(?: me)?$/i;

test('lets what adds something be observed on a test system, and nowhere else', () => {
  const all = [additions, ownAdditions].flatMap(formsOf).filter(({ method }) => method === 'POST');
  const forms = all.filter(({ label = '' }) => plain.test(label));
  const observed = (writes: GateSettings['writes']) =>
    forms.filter((form) => gateFor(writes, forms).mayObserve(form).allowed).map(nameOf);
  assert.equal(observed('reversible'), []);
  assert.equal(observed('none'), []);
  assert.ok(forms.length >= 7 && observed('create').length >= 6, observed('create').join());
});

test('lets nothing that acts be observed on a test system either', () => {
  const acting =
    /delete|remove|cancel|close|checkout|shop\/payment$|\/order|password|\/pass$|\/card$|users\/create|plugins|restore|donate|poll$|stars|follow/;
  const forms = pages.flatMap(formsOf);
  const gate = gateFor('create', forms);
  const observed = forms.filter((form) => gate.mayObserve(form).allowed).map(nameOf);
  assert.equal(
    observed.filter((name) => acting.test(name)),
    [],
  );
});

test('keeps an administrator’s forms back once they were seen to keep something, and sends what adds', () => {
  const forms = formsOf(tools).filter(({ method }) => method === 'POST');
  const decided = (form: FormSurface, verdict?: 'reads' | 'writes'): boolean => {
    const gate = gateFor('create', forms);
    if (verdict) for (const key of keysOfVerdict(verdict, keysOfForm(form))) gate.observed(key, verdict);
    return gate.decide(sentAs('session-of-root', form)).allowed;
  };
  const sentOn = (verdict?: 'reads' | 'writes') => forms.filter((form) => decided(form, verdict)).map(nameOf);
  assert.equal(sentOn(), []);
  const adding = ['console', 'members/import', 'vouchers'].map((name) => `POST /admin/tools/${name}`);
  assert.equal(sentOn('writes'), adding);
  const tried = ['annotate', 'rules', 'quota'].map((name) => `POST /admin/tools/${name}`);
  assert.equal(sentOn('reads'), [...tried, ...adding]);
});

test('keeps an administrator from the settings of everybody, though they add something', () => {
  const forms = formsOf(settings).filter(({ method }) => method === 'POST');
  const gate = gateFor('create', forms);
  for (const form of forms) for (const key of keysOfVerdict('writes', keysOfForm(form))) gate.observed(key, 'writes');
  for (const licence of ['observation', 'lasting', undefined] as const) {
    const sent = forms.filter((form) => gate.decide(sentAs('session-of-root', form), licence).allowed);
    assert.equal(sent.map(nameOf), []);
  }
});

test.run();
