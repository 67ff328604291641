import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withOwnSession } from '../../../../workflows/checks/sessions/own-sessions.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { redirect, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('sessions of an own');

/** A site that lets somebody in so many times, and leads whoever comes later back to the login without a word. */
async function looked(names: readonly string[], logins: number, design: MembersDesign = sound) {
  const members = membersSite(design);
  let left = logins;
  const site = await startSite((request) =>
    request.method === 'POST' && left-- <= 0 ? redirect('/login') : members(request),
  );
  const audit = await openAudit(site.url, { identities: names.map((name) => ({ ...memberOf(design), name })) });
  const seen: string[] = [];
  try {
    const found = await withOwnSession<string>(audit.context, async (_session, _page, { name }) => {
      seen.push(name);
      return [];
    });
    return { found, seen };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('a site that lets an identity log in no more is said to limit logins', async () => {
  const { found, seen } = await looked(['A'], 1);
  assert.equal(seen, []);
  assert.match(JSON.stringify(found), /did not let \\"A\\" log in once more.*seems to limit logins/);
});

test('what was looked at with one identity holds where another is let in no more', async () => {
  assert.equal(await looked(['A', 'B'], 3), { found: [], seen: ['A'] });
  assert.equal(await looked(['A', 'B'], 4), { found: [], seen: ['A', 'B'] });
});

test.run();
