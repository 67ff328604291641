import { field } from '../form.ts';
import { toLogin } from '../guard.ts';
import { html } from '../html.ts';
import { notice, postForm, sendPage } from '../layout.ts';
import { changeAddress } from '../users.ts';
import type { App, Shop } from '../visit.ts';

const maxFieldCharacters = 100;

export function accountPages(app: App, shop: Shop): void {
  app.get('/account', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const body = html`<section class="narrow"><h1>Your account</h1>
<dl><dt>Name</dt><dd>${user.name}</dd><dt>E-mail address</dt><dd>${user.email}</dd></dl>
<h2>Where we deliver</h2>${postForm(
      request.visit,
      '/account',
      html`<label>Street <input name="street" value="${user.street}" maxlength="${maxFieldCharacters}" required></label>
<label>City <input name="city" value="${user.city}" maxlength="${maxFieldCharacters}" required></label><button>Save</button>`,
    )}
<p><a href="/orders">Your orders</a></p>${postForm(request.visit, '/logout', html`<button class="quiet">Log out</button>`)}</section>`;
    return sendPage(shop, reply, request.visit, { title: 'Your account', body });
  });

  app.post('/account', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const [street, city] = [field(request, 'street'), field(request, 'city')];
    const areGiven = [street, city].every((value) => value !== '' && value.length <= maxFieldCharacters);
    if (!areGiven)
      return notice(shop, request, reply, 400, 'We did not understand that', 'Please give street and city.');
    changeAddress(shop.database, user.id, street, city);
    return reply.redirect('/account', 303);
  });
}
