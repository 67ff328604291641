import type { CookieJar, Exchange, HttpProbe, HttpRequest } from '../model/http.ts';
import type { LoginStep, StepField } from '../model/login-recipe.ts';
import type { FormControl } from '../probe/html/controls.ts';
import { entriesOfButton } from '../probe/html/submission.ts';
import type { LoginForm } from './find-form.ts';
import { loginTimeoutMs } from './patience.ts';

/** What goes into the fields of a login. */
export type LoginValues = { username: string; password: string; code: string };

const urlencoded = 'application/x-www-form-urlencoded';

type SentField = { name: string; value: string; field: StepField };

/** How a login form is sent, and what a reader may know of it. */
type FormSubmission = { request: HttpRequest; step: LoginStep };

/** As a browser would: with the page's origin, which CSRF protection looks at, and in the form's own encoding. */
export async function submissionOf(login: LoginForm, values: LoginValues): Promise<FormSubmission> {
  const { form, submit } = login;
  const target = form.targetBy(submit);
  const method = target.method === 'POST' ? 'POST' : 'GET';
  const action = target.action ?? form.action;
  const fields = fieldsOf(login, values);
  const encoding = method === 'POST' && target.enctype === 'multipart/form-data' ? 'multipart' : 'urlencoded';
  const step: LoginStep = {
    pageUrl: form.pageUrl,
    url: action,
    method,
    encoding,
    fields: fields.map(({ field }) => field),
  };
  const headers: [string, string][] = [
    ['Origin', new URL(form.pageUrl).origin],
    ['Referer', form.pageUrl],
  ];
  if (method === 'GET') {
    const url = new URL(action);
    url.search = pairs(fields).toString();
    return { step, request: { url: url.href, headers } };
  }
  const { type, body } =
    encoding === 'multipart' ? await multipart(fields) : { type: urlencoded, body: pairs(fields).toString() };
  return { step, request: { method, url: action, headers: [...headers, ['Content-Type', type]], body } };
}

/** Redirects are followed within the scope; the answer to the fields themselves is the first of `redirects`. */
export const sendForm = (http: HttpProbe, { request }: FormSubmission, jar: CookieJar): Promise<Exchange> =>
  http.send({ ...request, jar, maxRedirects: 5, timeoutMs: loginTimeoutMs });

function fieldsOf(login: LoginForm, values: LoginValues): SentField[] {
  const { form, submit } = login;
  return form.controls.flatMap((control): SentField[] => {
    for (const holds of ['username', 'password', 'code'] as const)
      if (control === login[holds]) return [sent(control, values[holds], { name: control.name, holds })];
    if (control === submit) return entriesOfButton(control).map(fixed);
    const isHidden = control.type === 'hidden' && control.value !== '';
    const field: StepField = { name: control.name, holds: 'hidden' };
    return control.sent.map((value) => (isHidden ? sent(control, value, field) : fixed({ name: control.name, value })));
  });
}

const sent = ({ name }: FormControl, value: string, field: StepField): SentField => ({ name, value, field });

const fixed = ({ name, value }: { name: string; value: string }): SentField => ({
  ...{ name, value },
  field: { name, holds: 'fixed', value },
});

const pairs = (fields: readonly SentField[]): URLSearchParams =>
  new URLSearchParams(fields.map(({ name, value }) => [name, value]));

/** The platform's own encoder (RFC 7578). */
async function multipart(fields: readonly SentField[]): Promise<{ type: string; body: Uint8Array }> {
  const data = new FormData();
  for (const { name, value } of fields) data.append(name, value);
  const encoded = new Response(data);
  return { type: encoded.headers.get('content-type') ?? 'multipart/form-data', body: await encoded.bytes() };
}
