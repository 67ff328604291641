import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { secretsIn } from '../files/secret-formats.ts';
import { atMost, pagesAtMost, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { mapReferenceIn } from '../pages/map-reference.ts';
import { ownScripts } from '../pages/scripts.ts';
import { patternFor } from '../sessions/private-text.ts';

/** `pattern` finds the secret by what stands before it: the value itself is kept nowhere. */
type Leaked = { url: string; name: string; pattern: string };

const maxScripts = 60;
const maxPages = 60;

/** A secret is sent to every visitor in a script or page. It is never used. Source: WSTG-INFO-05, CWE-798. */
export const secretInScript = defineCheck<Leaked>({
  id: 'exposure.secret-in-script',
  title: 'Secret key in JavaScript',
  cwe: 798,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const scripts = atMost(context, ownScripts(context.surface), widened(context, maxScripts), 'script files');
    const pages = pagesOf(context).filter((url) => !scripts.includes(url));
    const looked = await inParallel([...scripts, ...pages], 4, (url) => look(context, url, scripts.includes(url)));
    const maps = await inParallel(scripts, 4, (url) => lookAtMap(context, url));
    return once([...looked, ...maps].flat());
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { url, name, pattern } = data;
    return {
      steps: [
        {
          http: { url },
          note: `The answer to an anonymous visitor holds ${name}.`,
          expect: [
            claim('status', 'equals', '200'),
            claim(
              'body:masked',
              'contains',
              '‹key›',
              'It has the form of a genuine one, or the randomness of one and a name that says so.',
            ),
          ],
          capture: [{ name: 'key', subject: 'body:masked', pattern, secret: true }],
        },
      ],
      control: [
        {
          http: { url },
          note: 'A random text in its place is not found: it is this value that the answer holds.',
          expect: [claim('body:masked', 'contains', '‹nonce›')],
        },
      ],
    };
  },

  explain: {
    description:
      'A script or page that everybody gets holds a key that is meant for servers. It was recognised by the form that its issuer gives to secret keys, with a check sum, structure or randomness that examples lack, or by a name that calls a random value secret (`JWT_SECRET`, `internalKey`); whether it is still valid was not tried.',
    impact:
      'Who opens the page can copy the key and act with its rights: read or change data at the service, send messages in your name, spend money. Such keys are collected by programs within hours.',
    sends: 'Requests script files with their source maps, and pages, 60 of each or as many as the budget allows.',
    proves:
      'The answer to an anonymous visitor holds a value in the form of a known secret, with its check sum or structure, or a random one that its name calls secret; a random text is not found. An attacker copies it. It is never used, so whether it is still valid is not shown.',
    remedy:
      'Revoke the key at its issuer first: taking it out of the script does not call it back. Then let your own server make the call and keep the key there, in its environment. Bundlers put everything with a public prefix into scripts (`VITE_`, `NEXT_PUBLIC_`, `REACT_APP_`): secret keys must not have one. Where a browser has to talk to the service, use the key that is made for it, with rules on its origin (Stripe `pk_…`, Supabase `anon` with row level security). Add a secret scanner to the build (`gitleaks dir dist`).',
    references: [
      'CWE-798: https://cwe.mitre.org/data/definitions/798.html',
      'WSTG-INFO-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});

/** Pages and data: own scripts, settings in attributes and comments may hold one. */
const pagesOf = (context: CheckContext): string[] =>
  pagesAtMost(
    context,
    context.surface.pages.filter(({ status, contentType }) => status === 200 && /json|html/i.test(contentType)),
    widened(context, maxPages),
  ).map(({ url }) => url);

/** What a page shows as an example of code is written for being read. */
const withoutExamples = (text: string): string =>
  text.replace(/<(pre|code|samp|kbd|textarea)\b[^<>]{0,500}>[\s\S]{0,20000}?<\/\1>/gi, ' ');

type ScriptSecret = { value: string; candidate: Candidate<Leaked> };

/** @param isSource of a script: pages and data may show users a secret of their own by such a name */
async function look({ http }: CheckContext, url: string, isSource: boolean): Promise<ScriptSecret[]> {
  const { status, text } = await http.get(url);
  if (status !== 200) return [];
  return secretsIn(withoutExamples(text)).flatMap(({ format, value }) => {
    if (format.called !== undefined && !isSource) return [];
    const pattern = patternFor(value, [text]);
    if (pattern === undefined) return [];
    return [
      {
        value,
        candidate: { location: { url }, detail: `It holds ${format.name}.`, data: { url, name: format.name, pattern } },
      },
    ];
  });
}

/** The source of a script as it was written may hold what the script itself does not. */
async function lookAtMap(context: CheckContext, script: string): Promise<ScriptSecret[]> {
  const named = mapReferenceIn(await context.http.get(script));
  return named?.url ? look(context, named.url, true) : [];
}

/** A key in the layout of every page is one key. */
function once(found: readonly ScriptSecret[]): Candidate<Leaked>[] {
  const values = [...new Set(found.map(({ value }) => value))];
  return values.flatMap((value) => {
    const places = found.filter((each) => each.value === value);
    const route = `/{secret} ${places[0]?.candidate.data?.name}`;
    return places.map(({ candidate }) => ({ ...candidate, route }));
  });
}
