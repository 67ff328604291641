import { type CaptureRule, claim, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { pathOf, sentForms } from '../../probe/html/submission.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { answerStep, hostPattern } from '../addresses/redirect-steps.ts';
import {
  type HandedOver,
  handedNames,
  handedOverIn,
  isHandedOver,
  minHandedLength,
} from '../addresses/redirect-target.ts';

/**
 * How an answer hands a code or a token to a host: by a redirect, by a form that the page sends, or by an address in the page, for its
 * script or its visitor. Sources: RFC 6749 §4.1.2 and §4.2.2, OAuth 2.0 Form Post Response Mode.
 */
export type DeliveredCode = HandedOver & ({ by: 'redirect' } | { by: 'address' } | { by: 'form'; target: string });

/** An error is handed over as a code is, and lets nobody in. */
const isError = /[?&#]error=/;

export function deliveredTo(host: string, answer: Exchange): DeliveredCode | undefined {
  const { status, text, request } = answer;
  const location = status >= 300 && status < 400 ? answer.header('location') : undefined;
  if (location !== undefined) {
    const handed = handedOverIn(location, request.url);
    const isThere = URL.parse(location, request.url)?.hostname === host && !isError.test(location);
    return handed && isThere ? { by: 'redirect', ...handed } : undefined;
  }
  if (status !== 200 || !isHtml(answer)) return undefined;
  const form = sentForms(text, request.url).find(({ action }) => new URL(action).hostname === host);
  const entry = form?.entries.find((each) => isHandedOver(each, request.url));
  if (form && entry) return { by: 'form', name: entry.name, value: entry.value, target: pathOf(form.action) };
  const [name = '', given = ''] = firstMatch(addressPattern(hostPattern(host), handedNames), text)?.groups ?? [];
  const handed = { name, value: given };
  return isHandedOver(handed, request.url) ? { by: 'address', ...handed } : undefined;
}

/** What stands before the host of an address in a page or script, as it is or escaped. */
const beforeHost = String.raw`https?:(?:(?:\\?/){2}|(?:&#x2F;){2})(?:[^\s"'<>/]{0,200}@)?`;

const anyPair = String.raw`(?:[?&#;]|\\u0026)`;
const anyValue = String.raw`([\w.~%+/-]{${minHandedLength},})`;
const addressPattern = (host: string, names: string): string =>
  String.raw`(?i)${beforeHost}${host}[/:?][^\s"'<>]{0,400}?${anyPair}(${names})=${anyValue}`;

/** A step whose answer hands the code to the host. The code itself is kept nowhere. @param host a template */
export function deliveryStep(http: HttpAction, host: string, code: DeliveredCode, note: string): Step {
  const name = escapePattern(code.name);
  const captured = (subject: CaptureRule['subject'], pattern: string): Pick<Step, 'capture'> => ({
    capture: [{ name: 'code', subject, pattern, secret: true }],
  });
  if (code.by === 'redirect') {
    const step = answerStep(http, host, note);
    const handed = `[?&#]${name}=([^&#]{${minHandedLength},})`;
    const expect = [
      claim('header:location', 'matches', handed),
      claim('header:location', 'not-matches', isError.source),
    ];
    return { ...step, expect: [...step.expect, ...expect], ...captured('header:location', handed) };
  }
  const isShown = claim('status', 'equals', '200');
  const pattern = hostPattern(host);
  if (code.by === 'address') {
    const handed = addressPattern(pattern, name);
    return {
      http,
      note,
      expect: [isShown, claim('body', 'matches', handed)],
      ...captured('body', `${anyPair}${name}=${anyValue}`),
    };
  }
  const field = `body:form:${code.target} ${code.name}` as const;
  const action = String.raw`(?i)\baction=["']?${beforeHost}${pattern}[/:?"'\s>]`;
  const expect = [isShown, claim('body', 'matches', action), claim(field, 'matches', `.{${minHandedLength},}`)];
  return { http, note, expect, ...captured(field, '^(.+)$') };
}
