import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLogout } from '../../../../workflows/checks/auth/logout.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('findLogout');

/** Paths of the ways out that are found on pages with one link each. */
async function found(links: readonly string[]): Promise<(string | undefined)[]> {
  const site = await startSite((request) =>
    html(`<a href="${links[Number(request.query.get('page'))]?.replaceAll('&', '&amp;')}">Leave</a>`),
  );
  const audit = await openAudit(site.url);
  try {
    const ways = links.map(async (_link, index) =>
      findLogout(await audit.context.http.get(`${site.url}/?page=${index}`), {}),
    );
    return (await Promise.all(ways)).map((way) => way?.url.slice(site.url.length));
  } finally {
    await audit.close();
    await site.close();
  }
}

test('letters inside names and tokens are not taken for words', async () => {
  const links = [
    '/logout?key=7Fall-3kQ',
    '/logout?key=xy9-all-2Zk',
    '/logout/u9_other_4',
    '/mall/logout',
    '/logout?from=gallery',
    '/Account/SignOut',
  ];
  assert.equal(await found(links), links);
});

test('what ends the sessions of other devices or an account is no logout of one’s own', async () => {
  const links = [
    '/logout-all',
    '/logoutAll',
    '/logouteverywhere',
    '/devices/logout',
    '/logout?scope=all',
    '/logout?all=1',
    '/signout-other-sessions',
    '/account/delete?logout=1',
  ];
  assert.equal(
    await found(links),
    links.map(() => undefined),
  );
});

test.run();
