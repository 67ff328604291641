import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serverIncludes } from '../../../../workflows/checks/injection/server-includes.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { withEdgeIncludes, withPrograms, withServerIncludes } from '../../../scorecard/sites/directive-shows.ts';
import { firstRows } from '../../../support/further.ts';
import { resultOn } from './interpreter-sites.ts';

const test = suite('injection.server-includes');
const link = '/hello?name=Ada';

for (const [what, read] of firstRows(
  Object.entries({
    SSI: withServerIncludes,
    ESI: withEdgeIncludes,
    'run commands': withPrograms,
  }),
  1,
)) {
  test(`${what}: directives in a value are found, and not where the value is encoded`, async () => {
    const found = await resultOn(serverIncludes, link, (value) => read(`<p>Hello ${value}</p>`));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', what);
    const patched = await resultOn(serverIncludes, link, (value) => read(`<p>Hello ${escapeHtml(value)}</p>`));
    assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
  });
}

const honest: Record<string, (value: string) => string> = {
  'that repeats markup as it is': (value) => `<p>${value}</p>`,
  'that takes out comments and tags': (value) => `<p>${value.replace(/<!--.*?-->|<[^>]*>/gs, '')}</p>`,
  'that repeats words alone': (value) => `<p>${(value.match(/\b[a-z][a-z0-9]{9}\b/g) ?? []).join(' ')}</p>`,
  'that reads no value in its directives': (value) =>
    withServerIncludes('<!--#set var="x" value="Ada" --><!--#echo var="x" -->') + escapeHtml(value),
};
for (const [which, show] of firstRows(Object.entries(honest), 2))
  test(`a page ${which} is clean`, async () => {
    const result = await resultOn(serverIncludes, link, show);
    assert.equal([result.outcome.kind, result.findings.length], ['clean', 0], result.outcome.reason);
  });

test.run();
