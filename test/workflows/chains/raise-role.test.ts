import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { raiseRole } from '../../../workflows/chains/raise-role.step.ts';
import { massAssignment } from '../../../workflows/checks/access/mass-assignment.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { goalsIn } from '../../../workflows/planner/act.ts';
import { smallestChains } from '../../../workflows/planner/chains.ts';
import { replay } from '../../../workflows/planner/replay.ts';
import { type ProfileDesign, profileSite, profileUser } from '../../fixtures/profiles.ts';
import { startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { check, openAudit, step, world } from '../checks/harness.ts';

const test = suite('the chain from a profile to an administrator');

const vulnerable: ProfileDesign = {
  start: { id: 7, street: '14 Harbour Lane', role: 'customer' },
  formFields: ['street'],
  profilePath: '/api/me',
  change: (profile, sent) => ({ ...profile, role: String(sent.role ?? profile.role) }),
  isAdmin: ({ role }) => role === 'admin',
};

async function chain(design: ProfileDesign) {
  const { handler, profile } = profileSite(design);
  const site = await startSite(handler);
  const open = () => openAudit(site.url, { identities: [profileUser], startPaths: ['/account'] });
  const [audit, fresh] = [await open(), await open()];
  try {
    const { facts } = await check(audit, massAssignment);
    const shown = await step(audit, raiseRole, facts.slice(0, 1));
    const [found] = smallestChains(goalsIn(shown.facts), [...facts, ...shown.facts]).chains;
    const registry = registryOf([massAssignment], [raiseRole]);
    const replayed = found && (await replay(found.links, registry, () => world(fresh)));
    return { facts, shown, replayed, profile: profile(), writes: audit.writes };
  } finally {
    await Promise.all([audit.close(), fresh.close()]);
    await site.close();
  }
}

test('a user becomes an administrator, the chain holds from nothing, and the role is as it was', async () => {
  const { shown, replayed, profile, writes } = await chain(vulnerable);
  assert.equal(
    shown.facts.map(({ kind }) => kind),
    ['session(admin)', 'goal'],
    shown.partly?.text,
  );
  assert.is(replayed?.held, true);
  assert.equal(profile, vulnerable.start);
  assert.ok(writes.every(({ identity, undo }) => identity === 'A' && undo.body?.includes('customer')));
});

further(test)('a page that users are led to and refused opens, whatever its name', async () => {
  const { shown } = await chain({ ...vulnerable, shutPath: '/strongroom' });
  assert.equal(
    shown.groups.map(({ places: [{ candidate }] }) => new URL(candidate.location.url).pathname),
    ['/strongroom'],
  );
});

further(test)('a role that opens nothing is no way to the administration', async () => {
  const { facts, shown, profile } = await chain({ ...vulnerable, isAdmin: () => false });
  assert.ok(facts.length > 0);
  assert.equal([shown.groups.length, shown.facts.length], [0, 0]);
  assert.equal(profile, vulnerable.start);
});

further(test)('an administration that is open to all is no chain', async () => {
  const { shown } = await chain({ ...vulnerable, isAdmin: () => true });
  assert.is(shown.groups.length, 0);
});

test.run();
