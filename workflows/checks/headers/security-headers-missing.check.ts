import type { Candidate } from '../../model/candidate.ts';
import type { Assertion, Experiment, Step } from '../../model/experiment.ts';
import type { Exchange, HttpProbe } from '../../model/http.ts';
import type { Omitted } from '../../model/omission.ts';
import { type Check, type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { parseCvss } from '../severity.ts';
import { headerParts } from './parts/all.ts';

/** One header that pages lack, with the experiments that show it. */
type MissingHeader = {
  title: string;
  detail: string;
  url: string;
  cvss: string;
  experiments: Experiment[];
};

/** Answers come without headers by which browsers limit what other weaknesses can do. Source: OWASP Secure Headers Project, CWE-693. */
export const securityHeadersMissing = defineCheck<Experiment>({
  id: 'headers.security-headers-missing',
  title: 'Missing security headers',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 15,

  async detect(given) {
    const context = { ...given, http: askingOnce(given.http) };
    const omitted: Omitted[] = [];
    const missing: MissingHeader[] = [];
    const reasons: string[] = [];
    for (const part of headerParts) {
      const detected = await part.detect(context);
      if ('notApplicable' in detected) reasons.push(detected.notApplicable);
      else if ('notRun' in detected) omitted.push(detected.notRun);
      else {
        const { candidates, omitted: left } = Array.isArray(detected)
          ? { candidates: detected, omitted: [] }
          : detected;
        omitted.push(...left);
        missing.push(...(await missingOf(context, part, candidates)));
      }
    }
    const [reason] = reasons;
    if (reason !== undefined && reasons.length === headerParts.length) return notApplicable(reason);
    return { candidates: together(missing), omitted };
  },

  confirm: (_context, { data }) => data,

  explain: {
    description:
      'Answers come without headers that restrict what browsers may do with the site: a Content-Security-Policy that says which scripts run, a Referrer-Policy that keeps addresses from other sites, `X-Content-Type-Options: nosniff`, Cross-Origin-Opener-Policy and Cross-Origin-Resource-Policy for sites with sessions, and a Permissions-Policy over HTTPS. Values that browsers do not know count as missing.',
    impact:
      'Nothing by itself. They are the second line behind other weaknesses: injected script runs and sends away what it reads, files of visitors are run as script of the site, other sites learn addresses with tokens in them, or detect by the window whether a visitor is signed in.',
    sends: 'Requests up to 10 of the seen pages, one script and one other answer again.',
    proves:
      'Each header that the finding names is absent, or has a value that browsers do not heed; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Set them for all answers in one place, errors included. nginx: `add_header X-Content-Type-Options "nosniff" always;`, `add_header Referrer-Policy "strict-origin-when-cross-origin" always;`, `add_header Cross-Origin-Opener-Policy "same-origin" always;`, `add_header Cross-Origin-Resource-Policy "same-origin" always;`, `add_header Permissions-Policy "camera=(), microphone=(), geolocation=()" always;` (again in each location that has an add_header of its own). Express: `app.use(helmet())`. Begin the policy for scripts with `Content-Security-Policy-Report-Only: script-src \'nonce-{random}\' \'strict-dynamic\'; object-src \'none\'; base-uri \'none\'`, correct what is reported, and then send it as Content-Security-Policy.',
    references: [
      'OWASP Secure Headers Project: https://owasp.org/www-project-secure-headers/',
      'Content Security Policy Level 3: https://www.w3.org/TR/CSP3/',
      'Strict CSP: https://web.dev/articles/strict-csp',
      'Fetch standard, X-Content-Type-Options: https://fetch.spec.whatwg.org/#x-content-type-options-header',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});

/** What of a part a second look shows as well: the finding names no other. */
async function missingOf(
  context: CheckContext,
  part: Check,
  candidates: readonly Candidate[],
): Promise<MissingHeader[]> {
  const shown: { candidate: Candidate; experiment: Experiment }[] = [];
  for (const candidate of candidates) {
    const experiment = await part.confirm(context, candidate);
    if (experiment) shown.push({ candidate, experiment });
  }
  const [first] = shown;
  if (!first) return [];
  const { candidate } = first;
  return [
    {
      title: candidate.location.parameter ?? part.title,
      detail: candidate.detail ?? firstSentence(part.explain.description),
      url: candidate.location.url,
      cvss: candidate.cvss ?? part.cvss,
      experiments: shown.map(({ experiment }) => experiment),
    },
  ];
}

/** One finding, as grave as the gravest of them. */
function together(missing: readonly MissingHeader[]): Candidate<Experiment>[] {
  const [first] = missing;
  if (!first) return [];
  const worst = missing.toSorted((a, b) => parseCvss(b.cvss).score - parseCvss(a.cvss).score)[0] ?? first;
  const [experiment] = first.experiments;
  if (!experiment) return [];
  return [
    {
      location: { url: first.url },
      route: '/',
      detail: missing.map(named).join(' '),
      cvss: worst.cvss,
      data: {
        ...experiment,
        steps: byPage(missing.flatMap(({ experiments }) => experiments.flatMap(({ steps }) => steps))),
      },
    },
  ];
}

/** A second look at a page is one for all headers. */
function askingOnce(http: HttpProbe): HttpProbe {
  const answers = new Map<string, Promise<Exchange>>();
  return {
    ...http,
    get(url, options) {
      if (!options?.fresh) return http.get(url, options);
      const answer = answers.get(url) ?? http.get(url, options);
      answers.set(url, answer);
      return answer;
    },
  };
}

/** One step shows all that an answer lacks. */
function byPage(steps: readonly Step[]): Step[] {
  const pages = Map.groupBy(steps, (step) => ('http' in step ? step.http.url : ''));
  return [...pages.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const expect = new Map<string, Assertion>();
    for (const each of [first, ...others].flatMap((step) => step.expect)) expect.set(JSON.stringify(each), each);
    return [{ ...first, note: [first, ...others].map(({ note }) => note).join(' '), expect: [...expect.values()] }];
  });
}

const named = ({ title, detail, experiments }: MissingHeader): string =>
  `${title}${experiments.length > 1 ? ` (${experiments.length} places)` : ''}. ${detail}`;

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
