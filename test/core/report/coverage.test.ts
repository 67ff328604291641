import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coverageSection } from '../../../core/report/coverage.ts';
import { FamilyStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { sampleScan } from './samples.ts';

const test = suite('the coverage of a report');

const ids = [
  'chains',
  'deep/access',
  'headers',
  'login:b',
  'login:a',
  'permissions',
  'survey:a',
  'survey',
  'tls',
  'undo',
];
const scanOf = (familyIds: string[]) =>
  sampleScan({
    coverage: {
      complete: true,
      families: familyIds.map((id) => ({ id, status: FamilyStatus.DONE, checks: 3, requests: 7, reason: `on ${id}` })),
    },
  });
const rowsOf = (caption: string, markup: string): string[] => {
  const [table = ''] = new RegExp(`<caption class="unseen">${caption}</caption>.*?</table>`, 's').exec(markup) ?? [];
  return [...table.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, name = '']) => name);
};

test('families of checks stand apart from the other parts of the audit, the deep ones last', () => {
  const { text } = coverageSection(scanOf(ids));
  assert.equal(rowsOf('Families of checks', text), ['headers', 'tls', 'deep/access']);
  assert.equal(rowsOf('Other parts of the audit', text), [
    'Survey as a',
    'Survey without a login',
    'Log-in of b',
    'Log-in of a',
    'Who is shown what',
    'Attack chains',
    'Taking changes back',
  ]);
});

test('a part that ended early says so, and why', () => {
  const scan = scanOf(['login:a']);
  const [part] = scan.coverage?.families ?? [];
  if (part) part.status = FamilyStatus.FAILED;
  const { text } = coverageSection(scan);
  assert.match(text, '<span class="status gap">ended early</span>');
  assert.match(text, '<td>on login:a</td>');
});

test('a family whose name is that of a property is a family', () => {
  assert.equal(rowsOf('Families of checks', coverageSection(scanOf(['constructor', 'toString'])).text), [
    'constructor',
    'toString',
  ]);
});

test.run();
