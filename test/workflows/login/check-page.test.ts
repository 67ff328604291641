import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAlive, stateOf } from '../../../workflows/login/check-page.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('the page that shows whose session it is');

test('is told apart from one that shows another part of itself to the same user', async () => {
  let shows = '<p id="end-all-sessions">Ina</p>';
  const site = await startSite(({ path }) => (path === '/' ? html(shows) : undefined));
  const audit = await openAudit(site.url);
  try {
    const { http } = audit.context;
    const session = { jar: http.newJar(), headers: [] };
    const mark = { checkUrl: `${site.url}/`, marker: 'end-all-sessions', others: ['Ina', '/logout'] };
    assert.is(await stateOf(http, session, mark), 'shown');
    shows = '<p>Ina</p>';
    assert.is(await stateOf(http, session, mark), 'changed');
    assert.is(await isAlive(http, session, mark), false);
    assert.is(await stateOf(http, session, { ...mark, others: [] }), 'ended');
    shows = '<form>Name</form>';
    assert.is(await stateOf(http, session, mark), 'ended');
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
