import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import { isFieldForAddress, mayBeFetched } from '../addresses/loopback-addresses.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { type Awaited, type Called, calledExperiment, heard, sendWays } from '../inputs/callback-look.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly, unlessKnownDataOnly } from './data-only.ts';
import { type FetchWay, fetchWays, isInternal, namesHost } from './fetch-ways.ts';
import { type FetchedPage, fetchedPage, ownAddressesLeadingOn, ownPages } from './fetched-pages.ts';
import { unlessIncluded } from './included-input.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { serverRequestKinds, serverRequestOf } from './server-requests.ts';

type Fetched = FetchedPage | (Called<FetchWay> & { detail: string; cvss: string });

/** Without what the server got, it reaches what is inside, or everything outside in its own name. */
const insideVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N';
const outsideVector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N';

const maxInputs = 300;
/** Inputs whose names say nothing of an address. */
const maxOthers = 300;

/** The server fetches what a value names, also from its own machine. Source: CWE-918, WSTG-INPV-19. */
export const ssrf = defineCheck<Fetched>({
  id: 'injection.ssrf',
  title: 'Server-side request forgery (SSRF)',
  cwe: 918,
  owasp: 'A01:2025',
  // What was shown is that services of the machine are reached; what they show is the site's own.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const host = context.callbacks?.host;
    const all = inputsToProbe(context.surface);
    const isAddress = (input: InputSurface) => mayBeFetched(input) || isFieldForAddress(input, context.surface.forms);
    const [likely, others] = [
      all.filter(isAddress),
      host === undefined ? [] : all.filter((input) => !isAddress(input)),
    ];
    if (likely.length + others.length === 0)
      return notApplicable('No input looks as if its value were the address of something.');
    const pages = likely.length === 0 ? [] : await ownPages(context);
    if (pages.length === 0 && host === undefined)
      return notApplicable('The site has no page whose text could be recognised elsewhere.');
    const tryLikely = unlessDataOnly<Fetched | Awaited<FetchWay>>(context, async (input) => {
      const shown = await fetchedPage(context, input, pages);
      if (shown || host === undefined) return shown;
      return sendWays(context, input, fetchWays(input, host, await ownAddressesLeadingOn(context, input)));
    });
    const looked = await lookAtEach<Fetched | Awaited<FetchWay>>(context, likely, maxInputs, tryLikely);
    // A callback costs one request only, so that inputs of any name can be tried.
    const called = await lookAtEach<Fetched | Awaited<FetchWay>>(
      context,
      others,
      maxOthers,
      unlessKnownDataOnly<Fetched | Awaited<FetchWay>>(context, async (input) =>
        host === undefined
          ? undefined
          : sendWays(context, input, fetchWays(input, host).slice(0, namesHost(input) ? 2 : 1)),
      ),
      fewOfKind,
    );
    const sampled = {
      candidates: [...looked.candidates, ...called.candidates],
      omitted: [...looked.omitted, ...called.omitted],
    };
    return heard<Fetched, FetchWay>(context, sampled, (called) => ({
      ...called,
      detail: isInternal(host ?? '')
        ? 'The server called a listener of the audit that stands in its own network; what it got was not shown.'
        : 'The server called a listener of the audit on the internet; what it got was not shown. Whether it reaches internal services was not shown.',
      cvss: isInternal(host ?? '') ? insideVector : outsideVector,
    }));
  },

  confirm: (context, candidate) => unlessIncluded(context, candidate, experimentFor),

  gives: {
    kinds: serverRequestKinds,
    // Where a refused page was shown already, a step would show the same again.
    facts: ({ data }) =>
      !data || 'way' in data || data.cvss !== undefined
        ? []
        : [serverRequestOf(data.input, data.address, new URL(data.page.url).pathname)],
  },

  explain: {
    description:
      'The server fetches the address in the value and shows what it gets, without a list of hosts that it may ask: an address of its own machine (loopback) gave a text that stands at another place of the site, and one with a port at which nothing listens did not.',
    impact:
      'Everybody can have the server ask what only it can reach: services without a password on its machine and network, administration pages that trust local addresses, and metadata of a cloud with keys in it.',
    sends:
      'Sends addresses of the server’s own machine, in up to sixteen spellings and with hosts that the site names for it, in inputs that look like addresses; they name a file or page that the site shows everybody, or one that it refused. The address of our listener goes into others, too.',
    proves:
      'The answer holds a piece of the page at that address; with a port at which nothing listens it does not. An attacker reaches services of the server’s own machine. What else can be reached was not tried.',
    remedy:
      'Take a key instead of an address, or compare the parsed host with a list of those that are meant: `if (!allowed.has(new URL(value).hostname)) return refuse();`. Resolve the name once, refuse private, loopback and link-local addresses (RFC 6890), connect to the address that was checked, and follow no redirects. Let a proxy without a way to internal networks do the fetching.',
    references: [
      'CWE-918: https://cwe.mitre.org/data/definitions/918.html',
      'WSTG-INPV-19: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/19-Testing_for_Server-Side_Request_Forgery',
      'OWASP SSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
    ],
  },
});

function experimentFor(found: Fetched): Experiment {
  if ('way' in found)
    return calledExperiment(found, {
      sent: 'The value is an address of the listener with a random word that nothing else contains.',
      called: 'The server calls that address.',
      control: 'The word alone is no address.',
    });
  const { input, address, page, piece, cvss } = found;
  const shown = claim('body', 'contains', piece, 'The answer has a piece of that page in it.');
  const isFetched = [claim('status', 'not-matches', '^3'), shown];
  const step = (value: string, note: string): Step[] =>
    inputSteps(input, inputAction(input, value), { note, expect: isFetched });
  const direct: Step =
    cvss === undefined
      ? { http: { url: page.url }, note: 'The site shows everybody this text at its own place.', expect: [shown] }
      : {
          http: { url: page.url },
          note: 'A visitor is refused the page.',
          expect: [claim('status', 'one-of', '401|403'), claim('body', 'not-contains', piece)],
        };
  return {
    steps: [
      direct,
      ...step(address.open, 'With an address of its own machine, the server fetches the page and shows it.'),
    ],
    control: step(address.closed, 'With a port at which nothing listens, nothing of that text comes back.'),
  };
}
