import { toLogin } from '../guard.ts';
import { html } from '../html.ts';
import { notice, plainForm, postForm, sendPage } from '../layout.ts';
import { changeProfile, maxFieldCharacters } from '../profile.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

/** Whether a post to this address is taken without a form token. */
export const isWithoutToken = ({ weaknesses }: Shop, url: string): boolean =>
  weaknesses.profileWithoutToken && url === '/account';

export function accountPages(app: App, shop: Shop): void {
  app.get('/account', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const fields = html`<label>Street <input name="street" value="${user.street}" maxlength="${maxFieldCharacters}" required></label>
<label>City <input name="city" value="${user.city}" maxlength="${maxFieldCharacters}" required></label><button>Save</button>`;
    const form = isWithoutToken(shop, '/account')
      ? plainForm('/account', fields)
      : postForm(request.visit, '/account', fields);
    const body = html`<section class="narrow"><h1>Your account</h1>
<dl><dt>Name</dt><dd>${user.name}</dd><dt>E-mail address</dt><dd>${user.email}</dd><dt>Kind of account</dt><dd>${user.role}</dd></dl>
<h2>Where we deliver</h2>${form}
<p><a href="/orders">Your orders</a> · <a href="/api/me">Your data</a></p>${postForm(request.visit, '/logout', html`<button class="quiet">Log out</button>`)}</section>`;
    return sendPage(shop, reply, request.visit, { title: 'Your account', body });
  });

  app.post('/account', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const fields = request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : {};
    if (!changeProfile(shop, user, fields))
      return notice(shop, request, reply, 400, 'We did not understand that', 'Please give street and city.');
    return reply.redirect('/account', 303);
  });
}
