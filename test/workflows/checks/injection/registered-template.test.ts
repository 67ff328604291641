import ejs from 'ejs';
import nunjucks from 'nunjucks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { registeredTemplate } from '../../../../workflows/checks/injection/registered-template.check.ts';
import { type NotebookDesign, startNotebook } from '../../../scorecard/sites/notebook.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('injection.registered-template');
const pages = new nunjucks.Environment(null, { autoescape: true });

async function result(design: Partial<NotebookDesign>, writes: 'create' | 'reversible' = 'create') {
  const site = await startNotebook({ name: 'bound', ...design });
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, registeredTemplate as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const vulnerable: [what: string, parameter: string, design: Partial<NotebookDesign>][] = [
  ['a city', 'city', { byCity: true, heading: (text) => pages.renderString(`<h1>Notes from ${text}</h1>`, {}) }],
  ['a name', 'username', { hasOverview: true, heading: (text) => ejs.render(`<h1>${text}</h1>`) }],
];
for (const [what, parameter, design] of firstRows(vulnerable, 1))
  test(`${what} that stands in the template of a page is found, and each account is announced`, async () => {
    const found = await result(design);
    assert.equal(
      found.findings.map(({ location }) => location?.parameter),
      [parameter],
      found.outcome.reason,
    );
    assert.match(found.findings[0]?.description ?? '', '/notes');
    assert.ok(found.lasting.length >= 4, String(found.lasting.length));
    assert.ok(found.requests < 50, String(found.requests));
    assert.not.match(stored(found), /ida-Pass-77|Aa1-(?!‹)/);
  });

test('texts that are shown as they are, or that a page refuses, are clean', async () => {
  assert.equal((await result({ byCity: true })).findings, []);
  const refusing = (text: string) => {
    if (/[{}<>]/.test(text)) throw new Error('no signs, please');
    return text;
  };
  assert.equal((await result({ heading: refusing })).findings, []);
});

test('no account is opened where the scope lets nothing stay', async () => {
  const { outcome, lasting } = await result({}, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
