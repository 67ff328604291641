import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { orLeft } from '../pages/or-left.ts';
import { scriptAddress } from '../pages/script-address.ts';
import { isLibraryFile } from '../pages/scripts.ts';
import { answeringPages, isAsked, withAnswering } from './answering-pages.ts';
import type { Flow } from './dom-flow.ts';
import { flowsOf } from './dom-flows.ts';
import { payloadsOf } from './dom-payloads.ts';
import { readsFromOthers } from './dom-visits.ts';
import { addressWith, type Entering, entering, placeOf } from './entrances.ts';
import { getsThrough, passedSigns } from './passed-signs.ts';
import { hasSink } from './script-sinks.ts';
import { hasScript, pagesWithScript, type ScriptedPage } from './scripted-pages.ts';

/** A flow, and what was put into it so that it ran. */
type FlowRun = { flow: Flow; payload: Payload };

const maxPages = 60;
/** As many as a browser has open at the same time. */
const width = 2;
/** Payloads that are tried in the browser for each flow, and those of a flow whose signs are known. */
const maxVisits = 4;
const maxChosen = 12;

/** Script of a page takes a value of its address for markup, code or an address. Source: CWE-79, WSTG-CLNT-01. */
export const domXss = defineCheck<FlowRun>({
  id: 'client.dom-xss',
  title: 'DOM-based cross-site scripting (XSS)',
  cwe: 79,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 25,

  async detect(context) {
    if (!hasScript(context.surface) && !isAsked(context.surface)) return notApplicable('No page has a script.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const pages = await pagesWithScript(context, context.surface, readsFromOthers, context);
    const all = withAnswering(pages, await answeringPages(context));
    const ordered = all.toSorted((a, b) => Number(usesSink(b)) - Number(usesSink(a)));
    const looked = await inParallel(atMost(context, ordered, maxPages, 'pages with script'), width, (page) =>
      look(context, page),
    );
    const flows = onceForEachScript(looked);
    const runs = await inParallel(flows, width, (flow) => runOf(context, flow));
    return runs.flat();
  },

  confirm(_context, candidate) {
    const run = candidate.data;
    return run && experimentFor(run);
  },

  gives: {
    kinds: ['script-execution'],
    facts: (candidate, { nonce = '' }) => {
      const { flow, payload } = candidate.data ?? {};
      if (!flow || !payload || visitWith(flow, payload).clicks) return [];
      const { entrance } = flow;
      const address = scriptAddress(addressWith(entrance, payload.value).replaceAll('‹nonce›', nonce), nonce);
      if (address === undefined) return [];
      const { origin } = new URL(entrance.pageUrl);
      const subject = `${origin} ${partRoute(entrance.pageUrl)} ${placeOf(entrance).parameter}`;
      return [{ kind: 'script-execution', subject, attributes: { address } }];
    },
  },

  explain: {
    description:
      'A script of the page reads its own address (path, query or fragment), that of the page before, the name of its window, or what any other window posts to it, and gives the value to something that makes markup, code or an address of it. Whoever writes the link writes script that runs as part of the site. The server need not see it: a fragment is never sent.',
    impact:
      'Whoever follows such a link gives its author what they could do themselves: act in their session, read what the site shows them and what it keeps in the browser, change the page to ask for a password. Logs and filters of the server show nothing of it.',
    sends:
      'Opens up to 60 pages with script in a browser, with random words in query, fragment, path, referrer, window name and messages, then with signs of markup and code, and with script that they let pass, where a word reached a sink.',
    proves:
      'A real browser runs the script in the address (`alert` with the nonce); the nonce alone runs nothing, and the server’s answer does not hold the script. An attacker’s link acts as the visitor.',
    remedy:
      "Put text in as text: `element.textContent = value`, `$(element).text(value)`, `{value}` in JSX; never `innerHTML`, `.html()`, `document.write`, `v-html` or `dangerouslySetInnerHTML` with it. Where markup has to be allowed, `element.setHTML(value)` or DOMPurify: `element.innerHTML = DOMPurify.sanitize(value)`. Take messages of known windows only: `if (event.origin !== 'https://app.example') return`. Look values up in a list instead of evaluating them, and follow an address only when `new URL(value, location).protocol` is https:. `Content-Security-Policy: require-trusted-types-for 'script'` makes browsers refuse plain text at all such places.",
    references: [
      'CWE-79: https://cwe.mitre.org/data/definitions/79.html',
      'WSTG-CLNT-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/01-Testing_for_DOM-based_Cross_Site_Scripting',
      'OWASP DOM based XSS Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
      'W3C Trusted Types: https://www.w3.org/TR/trusted-types/',
    ],
  },
});

const usesSink = ({ scripts }: ScriptedPage): boolean => scripts.some(hasSink);

type LookedAt = { page: ScriptedPage; flows: Flow[] };

/** A script in the layout of all pages makes one mistake, not one a page; also where the layout writes it into their HTML. */
function onceForEachScript(looked: readonly LookedAt[]): Flow[] {
  const known = new Set<string>();
  const inPages = new Map<string, ScriptedPage[]>();
  const isNew = (page: ScriptedPage, { entrance, call, word }: Flow): boolean => {
    const mistake = [placeOf(entrance), call.sink, call.element];
    const isOfLibrary = isLibraryFile(call.script);
    const isInPage = call.script === '' || isOfPage(call.script, entrance.pageUrl) || isOfLibrary;
    const key = JSON.stringify([isInPage ? entrance.pageUrl : call.script, ...mistake]);
    if (known.has(key)) return false;
    known.add(key);
    if (!isInPage) return true;
    const same = JSON.stringify([textAround(call.text, word), ...mistake]);
    const before = inPages.get(same) ?? [];
    inPages.set(same, [...before, page]);
    return !before.some((other) => shareScript(other, page) || (isOfLibrary && haveNone([other, page])));
  };
  return looked.flatMap(({ page, flows }) => flows.filter((flow) => isNew(page, flow)));
}

/** What stands in the HTML has the address of the page, with which query and fragment ever that was opened. */
const isOfPage = (script: string, pageUrl: string): boolean =>
  script.replace(/[?#].*$/s, '') === pageUrl.replace(/[?#].*$/s, '');

/** Farther away may stand what the page has anyhow: `innerHTML += value`. */
const nearby = 60;

function textAround(text: string, word: string): string {
  const at = text.indexOf(word);
  return text.slice(Math.max(0, at - nearby), at + word.length + nearby).replaceAll(word, '‹word›');
}

const shareScript = (one: ScriptedPage, other: ScriptedPage): boolean =>
  one.scripts.some((script) => hasSink(script) && other.scripts.includes(script));

/** What a library makes of a value is the mistake of the script that calls it; without one it is that of the file itself. */
const haveNone = (pages: readonly ScriptedPage[]): boolean => !pages.some(({ scripts }) => scripts.some(hasSink));

/** A page that cannot be opened keeps the others from nothing. */
async function look(context: CheckContext, page: ScriptedPage): Promise<LookedAt> {
  const flows = await orLeft(context, page.url, () => flowsOf(context, page));
  return { page, flows: flows.flat() };
}

/** The first of the likely values that ran in the browser. */
async function runOf(context: CheckContext, flow: Flow): Promise<Candidate<FlowRun>[]> {
  const runs = await orLeft(context, flow.entrance.pageUrl, async () => {
    const [first, ...others] = payloadsOf(flow);
    if (!first) return [];
    if (await isRun(context, flow, first)) return [candidateFor({ flow, payload: first })];
    // What the browser makes of an address is not what the script has made of it.
    const passed = flow.call.kind === 'address' ? undefined : await passedSigns(context, flow);
    const likely = passed ? others.filter((each) => getsThrough(each, passed)) : others;
    const max = passed || isFollowed(flow) ? maxChosen : maxVisits - 1;
    for (const payload of likeliest(context, likely, max, 'values'))
      if (await isRun(context, flow, payload)) return [candidateFor({ flow, payload })];
    return [];
  });
  return runs.flat();
}

/** Libraries give addresses to links of their own, to take them apart. */
const isFollowed = ({ call }: Flow): boolean => call.kind === 'address' && call.element !== 'a';

async function isRun({ browser, nonce }: CheckContext, flow: Flow, payload: Payload): Promise<boolean> {
  const word = nonce();
  const put = (template: string) => template.replaceAll('‹nonce›', word);
  const { url, clicks, page } = visitWith(flow, payload);
  const isDone = ({ dialogs }: { dialogs: readonly string[] }) => dialogs.includes(word);
  const own = { ...(clicks && { clicks: clicks.map(put) }), ...(page !== undefined && { page: put(page) }) };
  const visit = { ...own, url: put(url), isDone };
  return isDone(await browser.visit(visit));
}

const candidateFor = ({ flow, payload }: FlowRun): Candidate<FlowRun> => ({
  location: { url: flow.entrance.pageUrl, method: 'GET', ...placeOf(flow.entrance) },
  detail: `The script ${whereOf(flow)}gives the value to ${flow.call.sink}.`,
  data: { flow, payload },
});

function whereOf({ entrance, call }: Flow): string {
  const [script, page] = [URL.parse(call.script)?.pathname, new URL(entrance.pageUrl).pathname];
  return script === undefined || script === page ? '' : `"${script}" `;
}

/** Passes the value to the page, and clicks on what becomes of it. */
function visitWith({ entrance, call }: Flow, { value, clicks: more = [] }: Payload): Entering {
  const { clicks = [], ...rest } = entering(entrance, value);
  const all = [...clicks, ...(call.clicks ?? []), ...more];
  return all.length > 0 ? { ...rest, clicks: all } : rest;
}

function experimentFor({ flow, payload }: FlowRun): Experiment {
  const { entrance } = flow;
  const visit = (value: string) => ({
    browser: visitWith(flow, { ...payload, value }),
    expect: [claim('browser:dialogs', 'matches', '(?m)^‹nonce›$', 'The page called alert with the nonce.')],
  });
  const isSent = entrance.in === 'query' || entrance.in === 'path';
  return {
    steps: [
      ...(isSent ? [serverStep(addressWith(entrance, payload.value), payload.value)] : []),
      { ...visit(payload.value), note: 'A browser that opens this address runs the script in it.' },
    ],
    control: [
      {
        ...visit('‹nonce›'),
        note: 'The same address with the nonce alone, without script around it, runs nothing.',
      },
    ],
  };
}

const serverStep = (url: string, value: string): Experiment['steps'][number] => ({
  http: { url },
  note: 'The answer of the server does not hold that script: it is the page’s own script that takes it from the address.',
  expect: [claim('status', 'equals', '200'), claim('body', 'not-contains', value)],
});
