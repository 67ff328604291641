import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxReportBytes, shares } from '../../../core/report/budget.ts';
import { renderReport } from '../../../core/report/report.ts';
import { FindingState } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Permissions } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { as, notTried, open, own, refused, row, samplePermissions, toLogin } from './sample-permissions.ts';
import { sampleFinding, sampleInput } from './samples.ts';

const test = suite('the permission matrix of a report');

const sectionOf = (permissions: Permissions | undefined, changes: Parameters<typeof sampleInput>[0] = {}): string =>
  /<section id="permissions".*?<\/section>/s.exec(renderReport(sampleInput({ permissions, ...changes })))?.[0] ?? '';

/** Texts of a row's cells, without markup. */
function cellsOf(markup: string, path: string): string[] {
  const [found = ''] =
    markup.match(new RegExp(`<tr><th scope="row"><code>${path.replace(/[{}]/g, '\\$&')}</code>.*?</tr>`, 's')) ?? [];
  return [...found.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

test('each cell says in words what was answered', () => {
  const markup = sectionOf(samplePermissions());
  assert.equal(cellsOf(markup, '/account'), ['Log in 303 to /login', 'Private', 'Private', 'Private']);
  assert.equal(cellsOf(markup, '/admin'), ['Log in 303 to /login', 'Refused 403', 'Not found 404', 'Private']);
  assert.equal(cellsOf(markup, '/reports'), ['Status 500', 'Withheld 200', 'Refused 403', 'Private']);
  assert.equal(cellsOf(markup, '/openapi.json'), ['Shown not linked', 'Shown not linked', 'Shown not linked', 'Shown']);
  assert.match(cellsOf(markup, '/logout')[0] ?? '', 'Not tried the link may do something: &quot;logout&quot;');
});

test('what belongs to others stands first, marked, with the finding that shows it', () => {
  const findings = [
    sampleFinding({ checkId: 'headers.x', category: 'headers', title: 'Worse', severity: 5 }),
    sampleFinding({
      category: 'access',
      locations: [{ url: 'https://shop.example/orders/1041', method: 'GET' }],
    }),
  ];
  const markup = sectionOf(samplePermissions(), { findings });
  assert.equal(cellsOf(markup, '/orders/{id}'), [
    'Log in 303 to /login',
    'Private',
    'Shown F2 same as a, not linked',
    'Private same as a',
  ]);
  assert.match(markup, '<td class="answer beyond"><strong>Shown</strong> <a href="#finding-2">F2</a>');
  assert.match(markup, /What belongs to others is shown<\/th><\/tr><tr><th scope="row"><code>\/api\/orders\/\{id\}/);
});

test('without a finding the mark stays, and leads nowhere', () => {
  const markup = sectionOf(samplePermissions());
  assert.is(cellsOf(markup, '/orders/{id}')[2], 'Shown same as a, not linked');
  assert.not.match(markup, 'href=');
});

test('a finding that was set aside is named by its own number', () => {
  const locations = [{ url: 'https://shop.example/orders/1041', method: 'GET' }];
  const findings = [sampleFinding({ category: 'access', locations, state: FindingState.ACCEPTED_RISK })];
  assert.is(cellsOf(sectionOf(samplePermissions(), { findings }), '/orders/{id}')[2], 'Shown A1 same as a, not linked');
});

test('an administrator who is shown what users have is not marked', () => {
  const markup = sectionOf(
    samplePermissions([row('/notes/1', '/notes/{id}', ['a'], [refused, own, refused, as('a')])]),
  );
  assert.not.match(markup, 'beyond');
  assert.is(cellsOf(markup, '/notes/{id}')[3], 'Private same as a, not linked');
});

test('rows that say nothing are folded away, and counted', () => {
  const markup = sectionOf(samplePermissions());
  const folded = markup.slice(markup.indexOf('<details'));
  assert.match(folded, 'The same for everybody (2)');
  assert.equal(cellsOf(folded, '/go'), ['Redirected 302 to /about']);
  assert.not.match(markup.slice(0, markup.indexOf('<details')), '<code>/go</code>');
  const alike = sectionOf(samplePermissions([row('/', '/', ['', 'a'], [open, open, open, open])]));
  assert.match(alike, 'Every address gave the same to every visitor.');
});

test('a table has headers for its columns, its rows and its groups, and a caption', () => {
  const markup = sectionOf(samplePermissions());
  for (const part of [
    '<caption class="unseen">What each visitor was shown</caption>',
    '<th scope="col">No login</th>',
    '<th scope="col">a (user)</th>',
    '<th scope="col">admin</th>',
    '<th scope="rowgroup" colspan="5">Not the same for everybody</th>',
    'role="region" tabindex="0" aria-label="What each visitor was shown"',
  ])
    assert.match(markup, part);
  assert.is(markup.split('<tbody>').length - 1, 4 + 1);
});

test('the contents lead to it when it is there, and do not when it is not', () => {
  const entry = '<a href="#permissions">Who is shown what</a>';
  assert.match(renderReport(sampleInput({ permissions: samplePermissions() })), entry);
  for (const permissions of [undefined, samplePermissions([])]) {
    assert.is(sectionOf(permissions), '');
    assert.not.match(renderReport(sampleInput({ permissions })), entry);
  }
});

test('addresses that were not asked for are counted', () => {
  assert.match(sectionOf({ ...samplePermissions(), leftOut: 12 }), '12 further addresses were seen and not asked for');
});

test('the largest matrix there is keeps within its share, and says what it left out', () => {
  const rows = Array.from({ length: 200 }, (_, index) =>
    row(
      `/${'"'.repeat(1_000)}/${index}`,
      `/${'"'.repeat(1_000)}`,
      ['a'],
      [toLogin, own, as('a'), notTried('"'.repeat(2_000))],
    ),
  );
  const report = renderReport(sampleInput({ permissions: samplePermissions(rows) }));
  const markup = sectionOf(samplePermissions(rows));
  assert.ok(Buffer.byteLength(markup) < shares.permissionsBytes + 4_096);
  assert.ok(Buffer.byteLength(report) < maxReportBytes);
  assert.match(markup, /\d+ further rows not shown here/);
});

test.run();
