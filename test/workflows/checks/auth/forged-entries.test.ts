import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csrf } from '../../../../workflows/checks/auth/csrf.check.ts';
import { type NoticeClubDesign, startNoticeClub } from '../../../scorecard/sites/notice-club.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('auth.csrf: what is added');

async function result(design: NoticeClubDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startNoticeClub(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const found = await check(audit, csrf);
    return { ...found, places: places(found), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const usual = 'Path=/; HttpOnly';

test('a form that adds something and has no secret of the session is found', async () => {
  const unsure = await result({ attributes: usual });
  assert.equal(unsure.places, ['POST /notices title'], unsure.outcome.reason);
  assert.is(unsure.findings[0]?.cvss?.vector, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N');
  const sent = await result({ attributes: `${usual}; Secure; SameSite=None` });
  assert.is(sent.findings[0]?.cvss?.vector, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N');
  assert.ok(unsure.lasting.length <= 8, String(unsure.lasting.length));
});

for (const [what, design] of firstRows(
  Object.entries({
    'with a secret of the session': { attributes: usual, hasToken: true },
    'behind a cookie with SameSite=Lax': { attributes: `${usual}; SameSite=Lax` },
    'that takes notices of everybody': { attributes: usual, isOpen: true },
    'that keeps them for the session alone': { attributes: usual, keepsForSession: true },
  } satisfies Record<string, NoticeClubDesign>),
  2,
))
  test(`a form ${what} is clean`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind === 'found', found.places], [false, []], found.outcome.reason);
  });

further(test)('nothing is added where the scope does not let anything stay', async () => {
  const { places: found, lasting } = await result({ attributes: usual }, 'reversible');
  assert.equal([found, lasting.length], [[], 0]);
});

test.run();
