import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { circles, climbing, crossing, importGraph } from './layers.ts';

const project = join(import.meta.dirname, '..', '..');
const graph = await importGraph(project);

const Layers = suite('the layers of a folder');

const planted: [string, string, string][] = [
  ['core/credits/ledger.ts', 'core/scans/start-scan.ts', 'core/credits/ledger.ts imports core/scans/start-scan.ts'],
  ['core/orgs/entities.ts', 'core/orgs/find-org.ts', 'core/orgs/entities.ts imports core/orgs/find-org.ts'],
  ['core/runs/facts.ts', 'core/runs/service.ts', 'core/runs/facts.ts imports core/runs/service.ts'],
  ['workflows/model/fact.ts', 'workflows/probe/scope.ts', 'workflows/model/fact.ts imports workflows/probe/scope.ts'],
  ['core/unknown/x.ts', 'core/errors.ts', 'core/unknown/x.ts is in no layer'],
];
for (const [file, target, message] of planted) {
  Layers(`refuses that ${file} imports ${target}`, () => {
    const found = climbing(new Map([[file, [target]]]));
    assert.is(found.length, 1);
    assert.match(found[0] ?? '', message);
  });
}

Layers('lets a file import its own layer and those below', () => {
  const imports = ['core/scans/gate.ts', 'core/credits/ledger.ts', 'core/errors.ts', 'core/scans/entities.ts'];
  assert.equal(climbing(new Map([['core/scans/get-gate.ts', imports]])), []);
});

Layers('hold in this project', () => assert.equal(climbing(graph), []));

Layers.run();

const Families = suite('families of checks');

Families('keep what lies beside their checks to themselves', () => {
  const planted = new Map([
    ['workflows/checks/tls/a.check.ts', ['workflows/checks/tls/b.ts', 'workflows/checks/inputs/c.ts']],
    ['workflows/checks/mail/d.check.ts', ['workflows/checks/tls/b.ts', 'workflows/checks/names/e.ts']],
    ['workflows/checks/inputs/c.ts', ['workflows/checks/mail/g.ts', 'workflows/checks/contract.ts']],
  ]);
  assert.equal(crossing(planted), [
    'workflows/checks/mail/d.check.ts imports workflows/checks/tls/b.ts, which is of another family',
    'workflows/checks/inputs/c.ts imports workflows/checks/mail/g.ts, which is of another family',
  ]);
});

Families('do so in this project', () => assert.equal(crossing(graph), []));

Families.run();

const Circles = suite('circles of imports');

Circles('are found once, whoever they are reached from', () => {
  const planted = new Map([
    ['a.ts', ['b.ts', 'd.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['b.ts', 'a.ts']],
    ['d.ts', ['e.ts']],
    ['e.ts', []],
  ]);
  assert.equal(circles(planted), [['a.ts', 'b.ts', 'c.ts']]);
});

Circles('are not in this project', () => assert.equal(circles(graph), []));

Circles.run();
