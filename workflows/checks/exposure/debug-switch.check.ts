import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { onlyIn } from '../decisions/difference.ts';
import { answerTo } from '../decisions/opened-page.ts';
import { sample } from '../inputs/at-most.ts';
import { revealing } from './revealing-pieces.ts';
import { type Switch, switches, switchUrl, withOne } from './switches.ts';

type Switched = { url: string; use: Switch; markers: string[] };

/** Pages of different routes; each takes two requests. */
const maxPages = 4;
const maxMarkers = 2;

/** A parameter for developers makes a page show source code, settings or data that it keeps to itself. Source: CWE-489, WSTG-CONF-02. */
export const debugSwitch = defineCheck<Switched>({
  id: 'exposure.debug-switch',
  title: 'Hidden debug parameter reveals source code or secrets',
  cwe: 489,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const shown = context.surface.pages.filter(
      ({ status, contentType }) => status < 400 && /html|json|plain/.test(contentType),
    );
    if (shown.length === 0) return notApplicable('No page was shown.');
    const ofEachPath = [
      ...new Map(shown.toReversed().map(({ url }) => [new URL(url).pathname, url])).values(),
    ].toReversed();
    const found: Candidate<Switched>[] = [];
    for (const url of sample(
      context,
      ofEachPath,
      maxPages,
      'pages',
      'one program reads such a parameter on all its pages',
    )) {
      const data = await switchedAt(context, url);
      if (!data) continue;
      const [name = ''] = data.use.names;
      const location = { url, method: 'GET', parameter: name, parameterIn: 'query' as const };
      found.push({ location, detail: `With ${name}=${data.use.value} the page shows more.`, data });
      // One program reads it on all its pages.
      break;
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page takes a parameter that nothing of the site mentions, by which its developers look into it: it answers with its source code, its settings or data that it shows nobody else.',
    impact:
      'Whoever guesses the name of the parameter, which are the same few everywhere, reads passwords, keys and the program itself, and finds the next weakness in it.',
    sends:
      'Requests up to four pages with usual names of such parameters (`debug=1`, `source`, `test`, `admin`), all of a kind at once, and each by itself once they are seen to show something.',
    proves:
      'Twice, the page with the parameter shows source code, secrets or data of people that it does not show without it, nor with a name that means nothing. An attacker reads it.',
    remedy:
      'Remove such parameters before a program is deployed, or let them work in a development environment only. Change the secrets that were shown.',
    references: [
      'CWE-489: https://cwe.mitre.org/data/definitions/489.html',
      'WSTG-CONF-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    ],
  },
});

async function switchedAt(context: CheckContext, url: string): Promise<Switched | undefined> {
  for (const all of switches) {
    if ((await markersOf(context, url, all)).length === 0) continue;
    for (const use of withOne(all)) {
      const markers = await markersOf(context, url, use);
      if (markers.length > 0) return { url, use, markers };
    }
  }
  return undefined;
}

/** What only the parameters show. One request where that is nothing. */
async function markersOf(context: CheckContext, url: string, use: Switch): Promise<string[]> {
  const first = await answerTo(context, { url: switchUrl(url, use) });
  // Pages repeat what they are asked.
  const sent = use.names.map((name) => `${name}=${use.value}`);
  if (!first || first.status >= 400 || revealing(onlyIn([first], [], sent)).length === 0) return [];
  const before = await answerTo(context, { url });
  if (!before || revealing(newIn([first], [before], sent)).length === 0) return [];
  const twin = await answerTo(context, { url: switchUrl(url, use, '‹nonce›') });
  const [again, beforeAgain] = [
    await answerTo(context, { url: switchUrl(url, use) }),
    await answerTo(context, { url }),
  ];
  if (!twin || !again || !beforeAgain) return [];
  return revealing(newIn([first, again], [before, beforeAgain, twin], sent)).slice(0, maxMarkers);
}

/** A page for developers sets out in lines what it otherwise has in one: that is the same text with other spaces. */
function newIn(shown: readonly Exchange[], others: readonly Exchange[], sent: readonly string[]): string[] {
  const known = others.map(({ text }) => unspaced(text));
  return onlyIn(shown, others, sent).filter((piece) => known.every((text) => !text.includes(unspaced(piece))));
}

const unspaced = (text: string): string => text.replace(/\s+/g, '').replace(/,$/, '');

function experimentFor({ url, use, markers }: Switched): Experiment {
  const shown = markers.map((marker) => claim('body:masked', 'contains', marker));
  const hidden = markers.map((marker) => claim('body:masked', 'not-contains', marker));
  return {
    steps: [
      { http: { url }, note: 'The page as everybody is shown it.', expect: hidden },
      { http: { url: switchUrl(url, use) }, note: 'With the parameter it shows more.', expect: shown, isShown: true },
    ],
    control: [
      {
        http: { url: switchUrl(url, use, '‹nonce›') },
        note: 'With a name that means nothing it does not.',
        expect: shown,
      },
    ],
  };
}
