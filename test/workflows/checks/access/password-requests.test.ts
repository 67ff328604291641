import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { passwordRequests } from '../../../../workflows/checks/access/password-requests.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';
import type { Surface } from '../../../../workflows/model/surface.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';

const test = suite('requests that set a password of an account which they name');

const pageUrl = 'http://site.localhost/settings';
const requestsOf = (action: string, hidden: string) => {
  const html = `<form method=post action="${action}">${hidden}<input type=password name=password></form>`;
  const surface = { inputs: [], forms: parsePage(html, pageUrl).forms } as Partial<Surface> as Surface;
  const answer = { text: html, request: { url: pageUrl } } as Partial<Exchange> as Exchange;
  return passwordRequests([surface], { userName: 'ann lee', answer }).map(({ parameter }) => parameter);
};
const own = '<input type=hidden name=uid value=17>';

test('are those of a form with a hidden field that says whose it is', () => {
  assert.equal(requestsOf('/password', own), ['uid']);
  assert.equal(requestsOf('/password', '<input type=hidden name=who value="ann lee">'), ['who']);
});

test('are none whose address says it as well: the password of an account that is there would be set', () => {
  for (const action of ['/accounts/17/password', '/password?user=17', '/accounts/ann%20lee/password'])
    assert.equal(requestsOf(action, own), [], action);
});

test('are none with several hidden fields of that kind, of which any may be the one', () => {
  for (const name of ['account_id', 'owner_id', 'pk'])
    assert.equal(requestsOf('/password', `${own}<input type=hidden name=${name} value=9>`), [], name);
  assert.equal(requestsOf('/password', `${own}<input type=hidden name=who value="ann lee">`), []);
});

test.run();
