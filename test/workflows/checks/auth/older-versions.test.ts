import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalBypass } from '../../../../workflows/checks/auth/refusal-bypass.check.ts';
import { html, json, redirect, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { checkAgain, openAudit, places } from '../harness.ts';

const test = suite('older versions of an interface');

type Answered = { status: number; value: object };
type People = (version: string, id: string, isOwn: boolean) => Answered;
const names: Record<string, string> = { 1: 'Ina Holm', 2: 'Ole Brandt', 3: 'Mia Sund' };
const refused = { status: 403, value: { error: 'not yours' } };
const unknown = { status: 404, value: { error: 'none' } };

/** A runner is shown their own record, by the version that the pages use. */
async function found(people: People, ofNobody: (version: string) => Answered = () => unknown) {
  const site = await startSite(({ path, cookies }) => {
    const isIn = cookies.sid === 'mia-session-7';
    if (path === '/') return html(isIn ? '<p>Mia Sund</p><a href="/api/v2/users/3">My record</a>' : '<p>Runners</p>');
    const [, version = '', id = ''] = /^\/api\/v(\d)\/users\/(\w+)$/.exec(path) ?? [];
    if (version === '') return undefined;
    if (version === '2' && !isIn) return redirect('/');
    const { status, value } = names[id] === undefined ? ofNobody(version) : people(version, id, id === '3');
    return json(value, status);
  });
  const mia = { name: 'mia', cookies: { sid: 'mia-session-7' }, checkPath: '/', marker: 'Mia Sund' };
  const audit = await openAudit(site.url, { depth: 'deep', identities: [mia] });
  const before = audit.requests();
  try {
    const result = await checkAgain(audit, refusalBypass, 'mia');
    return { places: places(result), reason: result.outcome.reason, requests: audit.requests() - before };
  } finally {
    await audit.close();
    await site.close();
  }
}
const record = (id: string) => ({ status: 200, value: { id, name: names[id], iban: `AT61 1904 ${id}` } });

test('an object that one version keeps from others and an older one gives is found', async () => {
  const seen = await found((version, id, isOwn) => (version === '1' || isOwn ? record(id) : refused));
  assert.equal(seen.places, ['GET /api/v2/users/2'], seen.reason);
});

further(test)('it is found also where numbers of nobody are refused like those of others', async () => {
  const seen = await found(
    (version, id, isOwn) => (version === '1' ? (id === '1' ? record(id) : unknown) : isOwn ? record(id) : refused),
    (version) => (version === '1' ? unknown : refused),
  );
  assert.equal(seen.places, ['GET /api/v2/users/1'], seen.reason);
});

test('versions with the same check, and one that says that it has ended, are clean', async () => {
  const same = await found((_version, id, isOwn) => (isOwn ? record(id) : refused));
  assert.equal(same.places, []);
  assert.ok(same.requests < 20, String(same.requests));
  const ended = await found((version, id, isOwn) => {
    if (version === '1') return { status: 200, value: { error: 'version 1 has ended' } };
    return isOwn ? record(id) : refused;
  });
  assert.equal(ended.places, []);
});

test.run();
