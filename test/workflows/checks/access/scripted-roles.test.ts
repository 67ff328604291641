import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { massAssignment } from '../../../../workflows/checks/access/mass-assignment.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit } from '../harness.ts';

const test = suite('roles that script of the administration sets');

/** How the script says it, what the site takes then, and what it has as its users. */
type Ferry = {
  script: string;
  path: RegExp;
  method?: string;
  isGuarded?: boolean;
  profileOf?: (user: Crew) => object;
};
type Crew = { id: number; name: string; role: string };

const helper: Ferry = {
  script: `const send=(m,p,b)=>fetch(p,{method:m,body:JSON.stringify(b)});
    async function view(me){if(me.role==='admin')for(const u of await (await fetch('/api/admin/crew')).json())button(u.name,()=>send('POST','/api/admin/promote',{userId:u.id,role:'admin'}))}`,
  path: /^\/api\/admin\/promote$/,
};
const fetching: Ferry = {
  script:
    'function raise(u,level){return fetch(`/api/staff/$' +
    "{u.id}/rank`,{method:'PUT',headers:{'Content-Type':'application/json'},body:JSON.stringify({role:level})})}",
  path: /^\/api\/staff\/(\d+)\/rank$/,
  method: 'PUT',
};

async function result(
  { script, path, method = 'POST', isGuarded = false, profileOf = (user) => user }: Ferry,
  options: AuditOptions = {},
) {
  const users: Record<string, Crew> = {
    ann: { id: 17, name: 'ann', role: 'crew' },
    ole: { id: 3, name: 'ole', role: 'admin' },
  };
  const set: unknown[] = [];
  const site = await startSite(({ path: asked, method: by, cookies, body }) => {
    const user = users[cookies.sid ?? ''];
    if (asked === '/') return html(`<h1>Ferry</h1><script src="/ferry.js"></script>`);
    if (asked === '/ferry.js') return { status: 200, headers: { 'content-type': 'text/javascript' }, body: script };
    if (!asked.startsWith('/api/')) return undefined;
    if (!user) return json({ error: 'log in' }, 401);
    if (asked === '/api/me') return json(profileOf(user));
    const match = path.exec(asked);
    if (!match || by !== method) return json({ error: 'no such thing' }, 404);
    if (isGuarded && user.role !== 'admin') return json({ error: 'not for you' }, 403);
    const { userId = Number(match[1]), role } = JSON.parse(body);
    const whom = Object.values(users).find(({ id }) => id === userId);
    if (!whom) return json({ error: 'nobody' }, 404);
    whom.role = role;
    set.push([whom.name, role]);
    return json({ ok: true });
  });
  const identities = [{ name: 'A', checkPath: '/api/me', marker: 'ann', cookies: { sid: 'ann' } }];
  const audit = await openAudit(site.url, { identities, startPaths: ['/api/me'], writes: 'create', ...options });
  try {
    const { outcome, findings } = await check(audit, massAssignment);
    const places = findings.map(({ location }) => `${location?.method} ${new URL(location?.url ?? '').pathname}`);
    return { outcome, places, set, users };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [how, ferry, place] of [
  ['by a helper', helper, 'POST /api/admin/promote'],
  ['by fetch, at an address with the number of the account', fetching, 'PUT /api/staff/17/rank'],
] as const)
  (ferry === helper ? test : further(test))(`set ${how}, for the user alone, are found and put back`, async () => {
    const found = await result(ferry);
    assert.equal([found.outcome.kind, found.places], ['found', [place]], found.outcome.reason);
    assert.equal([found.users.ann?.role, found.users.ole?.role], ['crew', 'admin']);
    assert.ok(found.set.every((each) => Array.isArray(each) && each[0] === 'ann'));
  });

test('are no finding where the site refuses users', async () => {
  const found = await result({ ...helper, isGuarded: true });
  assert.equal([found.outcome.kind, found.set], ['clean', []], found.outcome.reason);
});

test('name the account by what stands beside its role, and by no number of anything else', async () => {
  const besides = await result({ ...helper, profileOf: (user) => ({ ship: { id: 3 }, ...user }) });
  assert.equal([besides.places.length, besides.users.ole?.role], [1, 'admin'], besides.outcome.reason);
  const alone = await result({ ...helper, profileOf: ({ name, role }) => ({ ship: { id: 3 }, name, role }) });
  assert.equal([alone.places, alone.set], [[], []], alone.outcome.reason);
});

further(test)('are not set where the system is none for tests', async () => {
  const found = await result(helper, { writes: 'reversible' });
  assert.equal([found.places, found.set], [[], []], found.outcome.reason);
});

test.run();
