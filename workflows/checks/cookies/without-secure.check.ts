import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inParallel } from '../inputs/parallel.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { cookieAnswers } from '../sessions/find-sessions.ts';
import { signalsOf } from '../sessions/session-cookie.ts';
import {
  isDeletion,
  isRefused,
  isRefusedWithoutSecure,
  parseSetCookie,
  type SetCookie,
} from '../sessions/set-cookie.ts';

/** A request whose answer sets the cookie: of an input, or of a page. */
type CookieSetter = { action: HttpAction; input?: OpenedInput; cookie: SetCookie };
type UnsafeCookie = { setting: CookieSetter; other: CookieSetter };

const maxPlaces = 300;
const width = 4;

/** A cookie that is set with Secure is set without by another answer. Source: RFC 6265 §4.1.2.5, §8.3. */
export const cookieWithoutSecure = defineCheck<UnsafeCookie>({
  id: 'cookies.without-secure',
  title: 'Cookie without Secure',
  cwe: 614,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const settings = [...pageSettings(context), ...(await answerSettings(context))].filter(
      ({ action: { url }, cookie }) => !isDeletion(cookie, context.now()) && !isRefused(cookie, url),
    );
    const secure = new Map(settings.filter(({ cookie }) => cookie.secure).map((each) => [kindOf(each), each]));
    if (secure.size === 0)
      return notApplicable('No cookie is set with Secure: nothing shows which ones are meant for HTTPS alone.');
    return settings.filter(isUnsafe).flatMap((setting): Candidate<UnsafeCookie>[] => {
      const other = secure.get(kindOf(setting));
      const { action, cookie } = setting;
      if (!other) return [];
      const location = { url: action.url, method: action.method ?? 'GET' };
      return [
        {
          location: { ...location, parameter: cookie.name, parameterIn: 'cookie' },
          route: cookie.attributes.get('path') || '/',
          detail: `Another answer sets "${other.cookie.name}" with Secure.`,
          data: { setting, other },
        },
      ];
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'One answer of the site sets this cookie with the attribute Secure, and another one without. Browsers therefore send it with every request to the same host, unencrypted ones included.',
    impact:
      'Somebody who listens on the way, or causes an http request by an image on another page, reads the cookie and what it says of the visitor. Whether it opens anything was not shown.',
    sends:
      'Asks for each page that sets a cookie, and sends each form that reads what it is sent once, with its own values.',
    proves:
      'One answer sets the cookie, or one whose name differs in a number, with Secure, and another one without; no cookie of a random name is set. Shows a configuration; no traffic was intercepted.',
    remedy:
      'Set Secure on every cookie: `cookie.setSecure(true)` (Java), `setcookie($name, $value, ["secure" => true])` (PHP), `response.set_cookie(name, value, secure=True)` (Flask, Django), `res.cookie(name, value, { secure: true })` (Express).',
    references: [
      'RFC 6265 §8.3: https://www.rfc-editor.org/rfc/rfc6265#section-8.3',
      'CWE-614: https://cwe.mitre.org/data/definitions/614.html',
    ],
  },
});

/** One cookie, or one of several that differ in a number. */
const kindOf = ({ cookie: { name } }: CookieSetter): string => name.replace(/\d+/g, '0');

/** What is a session is reported as one where it counts: over HTTPS. */
const isUnsafe = ({ action: { url }, cookie }: CookieSetter): boolean =>
  !cookie.secure && !isRefusedWithoutSecure(cookie) && !(url.startsWith('https:') && signalsOf(cookie) !== undefined);

const pageSettings = ({ surface }: CheckContext): CookieSetter[] =>
  cookieAnswers(surface).flatMap(({ url, setCookies }) =>
    setCookies.flatMap((line) => parseSetCookie(line) ?? []).map((cookie) => ({ action: { url }, cookie })),
  );

/** Cookies that answers to forms and parameters set, each place asked once with its own value. */
async function answerSettings(context: CheckContext): Promise<CookieSetter[]> {
  const asked = inputsToProbe(context.surface).filter(
    ({ in: place, isStored, encoded }) => place !== 'path' && !isStored && !encoded,
  );
  const places = [...Map.groupBy(asked, ({ method, url }) => `${method} ${url.replace(/[?#].*$/s, '')}`).values()];
  const first = places.flatMap((same) => same.slice(0, 1));
  const found = await inParallel(atMost(context, first, maxPlaces, 'places'), width, async (input) => {
    const action = inputAction(input, input.sample);
    try {
      if (context.allowance() <= 0) return [];
      const answer = await sendInput(context, input, action, newTrialValues(context.nonce));
      const cookies = answer.headerValues('set-cookie').flatMap((line) => parseSetCookie(line) ?? []);
      return cookies.map((cookie): CookieSetter => ({ action, input, cookie }));
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      return [];
    }
  });
  return found.flat();
}

function experimentFor({ setting, other }: UnsafeCookie): Experiment {
  const step = ({ action, input }: CookieSetter, note: string, expect: Step['expect']): Step[] =>
    input ? inputSteps(input, action, { note, expect }) : [{ http: action, note, expect }];
  const isSet = (name: string) => claim(`cookie:${name}`, 'matches', `^\\s*${escapePattern(name)}\\s*=\\s*[^;\\s]`);
  const secure = '(?i);\\s*secure\\s*(?:;|=|$)';
  const claims = (name: string) => [isSet(name), claim(`cookie:${name}`, 'not-matches', secure)];
  const { name } = other.cookie;
  return {
    steps: [
      ...step(other, `An answer sets the cookie "${name}" with Secure.`, [claim(`cookie:${name}`, 'matches', secure)]),
      ...step(setting, 'This one sets the cookie without.', claims(setting.cookie.name)),
    ],
    control: step(setting, 'The same is not seen of a cookie that the site does not set.', claims('‹nonce›')),
  };
}
