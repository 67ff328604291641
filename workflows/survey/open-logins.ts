import { randomBytes } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { FormSurface } from '../model/surface.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { secretNames } from '../probe/gate/words/fields.ts';
import { visibleText } from '../probe/html/text.ts';
import { isHtml } from '../probe/http/document-type.ts';
import { lockedWords, wrongWords } from '../probe/refusing-words.ts';
import { isPageToken, sentFields } from './form-inputs.ts';
import type { Tally } from './left-out.ts';
import type { SendRequest } from './origins.ts';

/** A site has one login, or two. */
const fewestLogins = 3;
const maxLogins = 300;
const timeoutMs = 8_000;
const maxBodyBytes = 64 * 1024;

/**
 * Marks forms that look like logins and are none: a site has several of them, and each answers the name and the password of nobody
 * with a page that neither refuses them nor asks for them again. One request for each, and none on a site with one login or two.
 * @throws ProbeError `canceled`
 */
export async function markOpenLogins(send: SendRequest, forms: readonly FormSurface[], tally: Tally): Promise<void> {
  const logins = [...Map.groupBy(forms.filter(isPlainLogin), ({ action }) => action).values()];
  if (logins.length < fewestLogins) return;
  const open: FormSurface[][] = [];
  const left = logins.slice(maxLogins);
  for (const [index, same] of logins.slice(0, maxLogins).entries()) {
    const [form] = same;
    try {
      if (form && takesAnybody(await sendAsNobody(send, form))) open.push(same);
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      if (!isFinal(error)) continue;
      left.push(...logins.slice(index, maxLogins));
      break;
    }
  }
  const [example] = left;
  if (example?.[0]) tally.addWord('not_observed', example[0].action, left.length);
  if (open.length >= fewestLogins) for (const form of open.flat()) form.takesAnybody = true;
}

/** What asks for a token of its page is a login of some care. */
const isPlainLogin = (form: FormSurface): boolean =>
  form.method === 'POST' &&
  form.enctype === 'application/x-www-form-urlencoded' &&
  kindOfForm(form).kind === 'login' &&
  !form.fields.some(isPageToken);

function sendAsNobody(send: SendRequest, { action, pageUrl, fields }: FormSurface): Promise<Exchange> {
  const nobody = `k${randomBytes(5).toString('hex')}`;
  const body = sentFields(fields).map(({ name, type, value }): [string, string] => [
    name,
    /^(?:text|email|tel|password)$/.test(type) || secretNames.test(name) ? nobody : value,
  ]);
  return send({
    ...{ method: 'POST', url: action, body: new URLSearchParams(body).toString(), timeoutMs, maxBodyBytes },
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Origin', new URL(pageUrl).origin],
      ['Referer', pageUrl],
    ],
  });
}

/** A page that lets nobody in, and keeps nobody out. */
function takesAnybody(answer: Exchange): boolean {
  const { status, text } = answer;
  const words = visibleText(text);
  return (
    status === 200 &&
    isHtml(answer) &&
    !answer.truncated &&
    !/\btype\s*=\s*["']?password/i.test(text) &&
    !/\bname\s*=\s*["']?(?:user(?:[-_]?name)?|login|pass(?:word|wd)?)\b/i.test(text) &&
    !wrongWords.test(words) &&
    !lockedWords.test(words)
  );
}
