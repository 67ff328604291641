import { field, localPath, queryValue } from '../form.ts';
import { type DemoMarkup, html } from '../html.ts';
import { postForm, sendPage } from '../layout.ts';
import { partnerCookie, partnerCookieName, sessionCookie } from '../session-cookie.ts';
import type { Shop } from '../shop.ts';
import { userByPassword } from '../users.ts';
import type { App, DemoVisit } from '../visit.ts';

const afterLogin = '/account';

export function loginPages(app: App, shop: Shop): void {
  app.get('/login', (request, reply) => {
    const next = localPath(queryValue(request, 'next')) ?? afterLogin;
    if (request.visit.user) return reply.redirect(next, 303);
    return sendPage(shop, reply, request.visit, { title: 'Log in', body: form(request.visit, next, '') });
  });

  app.post('/login', (request, reply) => {
    const email = field(request, 'email');
    const next = localPath(field(request, 'next')) ?? afterLogin;
    const refuse = (status: number, refusal: string) =>
      sendPage(shop, reply, request.visit, {
        title: 'Log in',
        status,
        body: form(request.visit, next, email, refusal),
      });
    if (shop.loginLimit.isReached(email)) return refuse(429, 'Too many tries. Please wait a minute.');
    const user = userByPassword(shop.database, email, field(request, 'password'));
    if (!user) {
      shop.loginLimit.failed(email);
      return refuse(401, 'E-mail address or password is not right.');
    }
    return reply
      .header('set-cookie', [
        sessionCookie(shop.weaknesses, shop.sessions.logIn(user, request.visit.session)),
        partnerCookie(shop.weaknesses, shop.passes.issue(user)),
      ])
      .redirect(next, 303);
  });

  app.post('/logout', (request, reply) => {
    shop.sessions.logOut(request.visit.session);
    shop.passes.end(request.visit.cookies.get(partnerCookieName) ?? '');
    return reply.header('set-cookie', sessionCookie(shop.weaknesses, shop.sessions.visitor())).redirect('/', 303);
  });
}

const form = (visit: DemoVisit, next: string, email: string, refusal = ''): DemoMarkup =>
  html`<section class="narrow"><h1>Log in</h1>${refusal !== '' && html`<p class="refused" role="alert">${refusal}</p>`}
${postForm(
  visit,
  '/login',
  html`<input type="hidden" name="next" value="${next}"><label>E-mail address <input type="email" name="email" value="${email}" autocomplete="username" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label><button>Log in</button>`,
)}<p>You have ordered from us before? Your password came with the first invoice.</p></section>`;
