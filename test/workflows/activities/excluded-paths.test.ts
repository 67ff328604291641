import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sparing } from '../../../workflows/activities/excluded-paths.ts';
import { ProbeError } from '../../../workflows/probe/types.ts';
import { openTestProbes } from '../support/checks.ts';
import { openSite, page } from '../support/site.ts';

const excluded = suite('excluded paths');

excluded('a path that the org excluded is never requested, whatever asks for it', async () => {
  const site = await openSite((_request, response) => page(response, 'ok'));
  const url = `http://site.localhost:${site.port}`;
  const open = openTestProbes(`${url}/`);
  const probes = sparing(['/admin'], open);
  try {
    for (const ask of [
      () => probes.http.get(`${url}/admin/users?x=1`),
      () => probes.http.send({ method: 'POST', url: `${url}/admin`, body: 'a=1' }),
      () => probes.browser.visit({ url: `${url}/admin` }),
      () =>
        probes.browser.signIn({
          url: `${url}/admin`,
          jar: probes.http.newJar(),
          username: 'a',
          password: 'b',
          fields: { username: '', password: '', code: '', submit: '' },
        }),
    ])
      await ask().then(
        () => assert.unreachable(),
        (error: unknown) => assert.is(error instanceof ProbeError && error.code, 'out_of_scope'),
      );
    assert.equal(site.requests, []);
    assert.is((await probes.http.get(`${url}/other`)).status, 200);
  } finally {
    await open.close();
    await site.close();
  }
});

excluded.run();
