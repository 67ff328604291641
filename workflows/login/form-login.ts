import type { FormLogin, Totp } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar, Exchange, HttpProbe } from '../model/http.ts';
import { LoginError } from '../model/login-error.ts';
import type { LoginStep } from '../model/login-recipe.ts';
import { findCodeForm, findPasswordForm, findUsernameForm, type LoginForm, type Wanted } from './find-form.ts';
import { formsRead, type PageForm, pageForms } from './page-forms.ts';
import { refusalIn } from './refusal.ts';
import { needsBrowser } from './selector.ts';
import { type LoginValues, sendForm, submissionOf } from './send-form.ts';
import { sendsOf } from './sends.ts';
import type { LoginSession } from './session.ts';
import { spellingsOf } from './settings.ts';
import type { Codes } from './totp.ts';

/** Pages of one login: user name, password, code. */
const maxForms = 3;
const maxRedirects = 5;

type Progress = { name: boolean; password: boolean; code: boolean };

/**
 * Logs in as a person without script would: form after form, until none is left that asks for something.
 * @param url absolute
 * @throws LoginError, ProbeError
 */
export async function logInByForm(
  http: HttpProbe,
  login: FormLogin,
  { url, jar, codes, totp }: { url: string; jar: CookieJar; codes: Codes | undefined; totp: Totp | undefined },
): Promise<LoginSession> {
  const wanted = wantedOf(login, totp);
  if (Object.values(wanted).some(needsBrowser))
    throw new LoginError('needs_browser', 'a selector of the login can only be read by a browser');
  let page = await loginPage(http, url, jar);
  requirePage(page);
  const sent: Progress = { name: false, password: false, code: false };
  const steps: LoginStep[] = [];
  let answer: Exchange | undefined;
  while (steps.length < maxForms) {
    // What the login leads to need not be read to its end.
    const at = addressOf(page, login);
    const forms = sent.password ? formsRead(page.text, at).forms : pageForms(page.text, at);
    const form = nextForm(forms, wanted, sent, codes !== undefined);
    if (!form) break;
    // Sent as it stands it would put the password into the address of the page.
    if (form.form.isScripted && hasScript(page.text))
      throw new LoginError('needs_browser', `the form at ${form.form.pageUrl} is sent by script`);
    const values: LoginValues = {
      username: login.username,
      password: login.password,
      code: form.code && codes ? await codes.next() : '',
    };
    const submission = await submissionOf(form, values);
    page = await sendForm(http, submission, jar);
    answer = page.redirects[0] ?? page;
    steps.push(submission.step);
    sent.name ||= form.username !== undefined;
    sent.password ||= form.password !== undefined;
    sent.code ||= form.code !== undefined;
  }
  if (!sent.password) throw unfound(page, addressOf(page, login), sent);
  const landing = { url: addressOf(page, login), status: page.status, text: page.text };
  const recipe = { kind: 'form' as const, steps, sends: sendsOf({ jar, headers: [] }) };
  return { jar, headers: [], landing, sent, recipe, ...(answer && { answer }) };
}

/** Some give the address that the form is sent to in the place of its page, which is the site's first one then. */
async function loginPage(http: HttpProbe, url: string, jar: CookieJar): Promise<Exchange> {
  const given = await http.get(url, { jar, maxRedirects });
  const root = new URL('/', url).href;
  if ((given.status !== 404 && given.status !== 405) || root === url) return given;
  const first = await http.get(root, { jar, maxRedirects });
  return formsRead(first.text, first.request.url).forms.some(({ action }) => action === url) ? first : given;
}

export const wantedOf = (login: FormLogin, totp: Totp | undefined): Wanted => ({
  username: login.usernameField,
  password: login.passwordField,
  code: totp?.field ?? '',
  submit: login.submitButton,
});

/** A form that asks again for what it was given has refused it, and is not sent again. */
function nextForm(forms: PageForm[], wanted: Wanted, sent: Progress, hasCode: boolean): LoginForm | undefined {
  if (sent.password) return hasCode && !sent.code ? findCodeForm(forms, wanted) : undefined;
  return findPasswordForm(forms, wanted, sent.name) ?? (sent.name ? undefined : findUsernameForm(forms, wanted));
}

/** A form that is sent with GET leaves the password in the address of the page that it leads to. */
function addressOf({ request: { url } }: Exchange, { password }: FormLogin): string {
  return spellingsOf(password).some((spelling) => url.includes(spelling)) ? url.replace(/[?#].*$/s, '') : url;
}

function requirePage(page: Exchange): void {
  const { url } = page.request;
  const location = page.header('location') ?? '';
  if (page.status >= 300 && page.status < 400 && URL.canParse(location, url))
    throw new LoginError(
      'elsewhere',
      `${url} leads on to ${new URL(location, url).host}, which this scan may not send anything to; give the session itself as bearer, header or cookie`,
    );
  if (page.status >= 500 || page.status === 429)
    throw refusalIn({ url, status: page.status, text: page.text }, { password: false, code: false });
}

function unfound(page: Exchange, url: string, sent: Progress): LoginError {
  const what = sent.name ? 'no field for the password came after the user name' : 'no login form was found';
  const where = `${what} at ${url} (status ${page.status})`;
  if (page.status < 400 && hasScript(page.text)) return new LoginError('needs_browser', where);
  const refusal = sent.name
    ? refusalIn({ url, status: page.status, text: page.text }, { password: false, code: false })
    : undefined;
  return refusal ?? new LoginError('no_form', where);
}

const hasScript = (html: string): boolean => /<script\b/i.test(html);
