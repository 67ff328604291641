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

/** Members have random identifiers, which the list of the team names. */
async function foundInTeam(isChecked: (version: string) => boolean) {
  const team = ['9f1c2a64-3b1e-4c58-9d20-51aa07c3e6b1', '07be4d12-8a55-4f0e-b6c3-2e9d4410f7aa'];
  const [mia = '', ole = ''] = team;
  const cards: Record<string, object> = {
    [mia]: { name: 'Mia Sund', iban: 'AT61 1904 3' },
    [ole]: { name: 'Ole Brandt', iban: 'AT61 1904 2' },
  };
  const site = await startSite(({ path, cookies }) => {
    const isIn = cookies.sid === 'mia-session-7';
    const links = `<p>Mia Sund</p><a href="/api/v2/people/${mia}">My card</a> <a href="/api/team">Team</a>`;
    if (path === '/') return html(isIn ? links : '<p>Runners</p>');
    if (path.startsWith('/api/') && !isIn) return json({ error: 'sign in' }, 401);
    if (path === '/api/team') return json(team.map((id) => ({ id })));
    const [, version = '', id = ''] = /^\/api\/v(\d)\/people\/([\w-]+)$/.exec(path) ?? [];
    if (version === '') return undefined;
    if (isChecked(version) && id !== mia) return json({ error: 'not yours' }, 403);
    return cards[id] ? json(cards[id]) : json({ error: 'none' }, 404);
  });
  const identity = { name: 'mia', cookies: { sid: 'mia-session-7' }, checkPath: '/', marker: 'Mia Sund' };
  const audit = await openAudit(site.url, { depth: 'deep', identities: [identity] });
  try {
    return places(await checkAgain(audit, refusalBypass, 'mia')).map((place) => place.replace(ole, 'ole'));
  } finally {
    await audit.close();
    await site.close();
  }
}

test('of objects with random identifiers those are tried that answers name', async () => {
  assert.equal(await foundInTeam((version) => version === '2'), ['GET /api/v2/people/ole']);
  assert.equal(await foundInTeam(() => true), []);
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
