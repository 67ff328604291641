import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { isRefusing, refusedPages } from '../decisions/refused-page.ts';
import { unlinkedPages } from '../decisions/unlinked-pages.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { fingerprintSite, identifiesPlatform } from '../pages/fingerprint-host.ts';
import { byRole } from '../sessions/roles.ts';
import { contextOf, unlessRefused } from './plant.ts';
import {
  emptied,
  errorExperiment,
  lasting,
  type Polluted,
  type PollutingRequest,
  pageExperiment,
  type RefusedPage,
  rareStatus,
  rights,
  statusOfErrors,
} from './polluting-experiments.ts';
import {
  type JsonRequest,
  jsonRequests,
  type Prototype,
  type PrototypeMembers,
  pollutingAction,
  unparsableAction,
} from './polluting-requests.ts';

const prototypes: readonly Prototype[] = ['proto', 'constructor'];
/** Members of an object that is sent become members of all objects of the server. Source: CWE-1321, WSTG-INPV-21. */
export const prototypePollution = defineCheck<Polluted>({
  id: 'injection.prototype-pollution',
  title: 'Server-side prototype pollution',
  cwe: 1321,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:L',
  depth: 'deep',
  risk: 'caution',
  cost: 10,

  async detect(context) {
    const stacks = await fingerprintSite(context);
    if (identifiesPlatform(stacks) && !stacks.has('node'))
      return notApplicable('The site is made with another language than JavaScript.');
    const requests = await jsonRequests(context);
    if (requests.length === 0) return notApplicable('No request sends an object in JSON.');
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'what it changes stays until the application is started again: the scope of the domain has to say "writes": "create"',
      );
    const pages = await pagesRefused(context);
    const found = [];
    for (const request of requests) {
      const polluted = await unlessRefused(() => pollutedBy(context, request, pages));
      if (polluted) found.push(candidateFor(polluted));
    }
    return found;
  },

  confirm: (_context, { data }) => data && (data.page ? pageExperiment(data, data.page) : errorExperiment(data)),

  explain: {
    description:
      'The application merges an object of the request into one of its own, member by member, and follows the name of the prototype on the way: what is sent there becomes a member of every object of the server.',
    impact:
      'Whoever sends the request gives all objects of the application a member that they do not have themselves: a right that is asked for by name, an option of a library. That opens pages of the administration, stops the application, or runs code where a library starts programs or compiles templates by such options.',
    sends:
      'With `writes: "create"`, requests with an object in JSON, also those that replace a thing, send a status of errors in the prototype, then four names of rights, by `__proto__` and by `constructor`, set to nothing right after. An empty member stays until the application restarts, as the report says.',
    proves:
      'The next request that cannot be parsed is answered with the status that was sent, or a refused page is shown; after it was set back no longer, and with the name misspelt never. An attacker gives every object members of their choice. No library was made to run code.',
    remedy:
      'Take the fields that are expected by name (zod `.strict()`, JSON Schema `additionalProperties: false`) instead of merging what is sent. Where objects are merged, skip `__proto__`, `constructor` and `prototype`, make the target with `Object.create(null)` or use a `Map`, and update the library that merges. Start Node with `--disable-proto=delete`, and freeze `Object.prototype`.',
    references: [
      'CWE-1321: https://cwe.mitre.org/data/definitions/1321.html',
      'OWASP Prototype Pollution Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** A page that refuses nobody's visit, and one that refuses a user's, by their status. @throws ProbeError */
async function pagesRefused(context: CheckContext): Promise<RefusedPage[]> {
  const pages: RefusedPage[] = [];
  for (const viewer of [
    '',
    ...byRole(context)
      .users.slice(0, 1)
      .map(({ name }) => name),
  ]) {
    const own = contextOf(context, viewer);
    const refused = (await refusedPages(own)).filter(({ status }) => status !== 200);
    const unlinked = refused.length > 0 ? [] : await unlinkedPages(own, [], []);
    const answers = [...refused, ...(await Promise.all(unlinked.slice(0, 1).map((url) => own.http.get(url))))];
    const [page] = answers.filter((answer) => isRefusing(answer) && answer.status !== 200);
    if (page) pages.push({ viewer, url: page.request.url, status: page.status });
  }
  return pages;
}

/** @throws ProbeError, ProofError */
async function pollutedBy(
  context: CheckContext,
  { identity, input: found, plan }: JsonRequest,
  pages: readonly RefusedPage[],
): Promise<Polluted | undefined> {
  const sender = contextOf(context, identity);
  const input = await openInput(sender, found);
  const request = { identity, input, ...(plan && { plan }) };
  const sent = { context, ...request };
  const sendUnparsable = () => store(sent, unparsableAction(input), async ({ status }) => status);
  const usual = (await sendUnparsable()) ?? 0;
  for (const prototype of prototypes) {
    const isStatus =
      usual >= 400 &&
      usual !== rareStatus &&
      (await whilePolluted(
        sent,
        prototype,
        statusOfErrors(rareStatus),
        async () => (await sendUnparsable()) === rareStatus,
      ));
    if (isStatus) return { ...request, prototype };
    const page = await whilePolluted(sent, prototype, rights, () => firstShown(context, pages));
    if (page) return { ...request, prototype, page };
  }
  return undefined;
}

async function firstShown(context: CheckContext, pages: readonly RefusedPage[]): Promise<RefusedPage | undefined> {
  for (const page of pages) {
    const answer = await contextOf(context, page.viewer).http.get(page.url, { fresh: true });
    if (answer.status === 200 && !isRefusing(answer)) return page;
  }
  return undefined;
}

type PollutingSender = PollutingRequest & { context: CheckContext };

/** Looks while all objects may have the members, and sets them back. */
async function whilePolluted<T>(
  sent: PollutingSender,
  prototype: Prototype,
  members: PrototypeMembers,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await store(sent, pollutingAction(sent.input, prototype, members), look);
  } finally {
    await store(sent, pollutingAction(sent.input, prototype, emptied(members)), async () => {});
  }
}

async function store<T>(
  { context, identity, input, plan }: PollutingSender,
  action: HttpAction,
  look: (answer: Exchange) => Promise<T>,
): Promise<T | undefined> {
  const sender = contextOf(context, identity);
  const request = await requestOfInput(
    sender,
    input,
    lasting({ input, ...(plan && { plan }) }, action),
    newTrialValues(context.nonce),
  );
  return context.store?.(identity, request, look);
}

function candidateFor(polluted: Polluted) {
  const { identity, input, prototype, page } = polluted;
  const by = prototype === 'proto' ? '`__proto__`' : '`constructor.prototype`';
  const what = page
    ? `${new URL(page.url).pathname}, which is refused otherwise, was shown while all objects had names of rights`
    : `a request that could not be parsed was answered with the status ${rareStatus} that was sent`;
  const required = identity === '' ? 'PR:N' : 'PR:L';
  return {
    location: { url: input.url, method: input.method, parameter: by.replaceAll('`', ''), parameterIn: 'body' as const },
    route: input.route,
    detail: `Members sent by ${by} reach all objects of the server: ${what}.`,
    cvss: page
      ? `CVSS:3.1/AV:N/AC:L/${required}/UI:N/S:U/C:H/I:H/A:L`
      : `CVSS:3.1/AV:N/AC:L/${required}/UI:N/S:U/C:N/I:L/A:L`,
    data: polluted,
  };
}
