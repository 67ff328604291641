import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { type PrivateKind, privateData, privateKinds, privateLinePattern } from '../../proof/files/private-data.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { versionChanges } from '../decisions/older-versions.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { siblingOf } from '../pages/soft-404.ts';
import { readCalls } from '../sessions/objects.ts';
import { byRole, isPrivileged } from '../sessions/roles.ts';
import { privateQueries } from './graphql-answers.ts';

/** @property min people whose password hashes are there: a user may be given their own */
type GivenOut = { asked: Asked; kinds: PrivateKind[]; min: number };
/** What is asked for. @property body a query of GraphQL in JSON, which is posted @property newer the same in the version in use */
type Asked = { url: string; body?: string; newer?: string };

const maxAnswers = 60;
const maxOfRoute = 2;
const maxOlder = 10;

/** Where programs list people; a list of keys elsewhere may be what a user keeps there for themselves. */
const ofPeople =
  /users?|accounts?|members?|customers?|people|persons?|employees?|staff|admin|profiles?|clients?|patients?|students?|debug|dump|export/i;

/** Names and addresses of people are less than what opens their accounts. */
const addressesOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N';

const opensNothing = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

/** Answers have private data of people that whoever asks should not have. Source: API3:2023, WSTG-ATHZ-02, CWE-213. */
export const dataExposure = defineCheck<GivenOut>({
  id: 'access.data-exposure',
  title: 'Excessive data exposure: private data of users in answers',
  cwe: 213,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  visitors: 'each',
  cost: 10,

  async detect(context) {
    const visitor = context.identities[context.visitor ?? ''];
    if (visitor && isPrivileged(visitor)) return notApplicable('Those who administrate may see the data of others.');
    const urls = answersIn(context);
    const queries = await privateQueries(context);
    if (urls.length + queries.length === 0) return notApplicable('No answer is data, and no page lists people.');
    const kinds = { max: maxAnswers, maxOfKind: maxOfRoute, enough: maxOfRoute, kindOf: normaliseRoute };
    const chosen = eachKindAtMost(context, urls, kinds, 'answers');
    const all: Asked[] = [...chosen.map((url) => ({ url })), ...olderOf(context, urls), ...queries];
    const looked = await inParallel(all, 4, (asked) => look(context, asked, visitor));
    return looked.flat();
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['exposed-text'],
    facts: ({ data }) =>
      data && opensAccounts(data) ? [{ kind: 'exposed-text', subject: data.asked.url, attributes: {} }] : [],
  },

  explain: {
    description:
      'An answer of the site has private data of several people: password hashes, passwords, keys, numbers of cards or identity documents, health data or addresses of those who are served, or the login names of its users with their mail addresses. Whoever asks is given it; no page needs it.',
    impact:
      'Whoever reads it collects the data of all users with one request. Passwords and keys open their accounts here and elsewhere, hashes are cracked offline, names with mail addresses are what passwords are guessed for and phishing is sent to.',
    sends:
      'Requests answers of JSON and XML that the survey saw (2 of each route, 60 in all), private fields by queries that GraphQL describes, and pages that by their path list people, without a login and as each test user; 10 also in older versions (`/v1/`); then a random address beside.',
    proves:
      'The answer has values of such a kind under their names, different for at least two people (a hash in a known format: for one); the random address has none. An attacker without an account, or with any, reads them. For names and addresses alone it is low.',
    remedy:
      'Answer with the members that the client shows, by name, instead of the record: a serializer or DTO for each use (`select("id", "name")`, DRF `fields = [...]`, Jackson `@JsonIgnore` on the password at least, Laravel `$hidden`, zod `.pick()`). Remove debugging and export endpoints, or ask for the role of an administrator there. Never send a password or its hash to anybody; change those that were.',
    references: [
      'CWE-213: https://cwe.mitre.org/data/definitions/213.html',
      'OWASP API3:2023 Broken Object Property Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
      'OWASP REST Security Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    ],
  },
});

/** Everybody is given passwords, or what they can be guessed by. */
const opensAccounts = ({ asked: { body }, kinds, min }: GivenOut): boolean =>
  body === undefined && min === 1 && kinds.some((kind) => kind === 'password' || kind === 'hash');

/** Addresses of data, and of pages that by their path list people, as the visitor was shown them. */
function answersIn({ surface }: CheckContext): string[] {
  const pages = surface.pages.filter(
    ({ url, status, contentType }) =>
      status === 200 &&
      (/json|(?<!xhtml)[/+]xml/i.test(contentType) || (/html/i.test(contentType) && ofPeople.test(namedPath(url)))),
  );
  const known = new Set(surface.pages.map(({ url }) => url));
  const calls = readCalls(surface).filter(({ url }) => !known.has(url));
  return [...new Set([...pages, ...calls].map(({ url }) => url.replace(/#.*$/s, '')))];
}

/** Older versions of an interface stay where they were, with members that the one in use has dropped. Source: API9:2023. */
function olderOf(context: CheckContext, urls: readonly string[]): Asked[] {
  const older = urls.flatMap((newer) => versionChanges(newer).map(({ changed: { url } }) => ({ url, newer })));
  const unseen = older.filter(({ url }) => !urls.includes(url));
  const kinds = { max: maxOlder, maxOfKind: 1, enough: 1, kindOf: ({ url }: Asked) => normaliseRoute(url) };
  return eachKindAtMost(context, unseen, kinds, 'older versions of answers');
}

async function look(
  context: CheckContext,
  asked: Asked,
  visitor: Identity | undefined,
): Promise<Candidate<GivenOut>[]> {
  const min = visitor ? 2 : 1;
  const inNewer = asked.newer === undefined ? [] : await kindsAt(context, { url: asked.newer }, min);
  const all = (await kindsAt(context, asked, min)).filter((kind) => !inNewer.includes(kind));
  const kinds: PrivateKind[] = [];
  // Whoever works with a program may be there to serve these people.
  for (const kind of visitor ? all.filter((each) => each !== 'login' && each !== 'personal') : all)
    if (visitor === undefined || (await isOfOthers(context, asked, kind, visitor))) kinds.push(kind);
  if (kinds.length === 0) return [];
  const areAddresses = kinds.every((kind) => kind === 'login');
  const arePersonal = kinds.every((kind) => kind === 'login' || kind === 'personal');
  return [
    {
      location: { url: asked.url, ...(asked.body === undefined ? {} : { method: 'POST' }) },
      detail: `It has ${kinds.map((kind) => privateKinds[kind]).join(', ')} of several people.`,
      ...(areAddresses ? { cvss: addressesOnly } : arePersonal ? { cvss: opensNothing } : {}),
      data: { asked, kinds, min },
    },
  ];
}

/**
 * What a user keeps for themselves, such as a list of accounts elsewhere, another user is not shown. Nobody keeps hashes of passwords:
 * they are of the site's own accounts, beside whatever the answer is about.
 */
async function isOfOthers(context: CheckContext, asked: Asked, kind: PrivateKind, visitor: Identity): Promise<boolean> {
  if (kind !== 'hash' && !ofPeople.test(asked.body ?? new URL(asked.url).pathname)) return false;
  const peers = byRole(context).users.filter(({ name }) => name !== visitor.name);
  for (const { jar, headers } of peers)
    if (!kindsIn(context, await answerTo(context, asked, { jar, headers }), 2).includes(kind)) return false;
  return true;
}

const jsonHeaders: [string, string][] = [['Content-Type', 'application/json']];

const requestFor = ({ url, body }: Asked) =>
  body === undefined ? { url } : { method: 'POST', url, body, headers: jsonHeaders };

/** Undefined for what the org has excluded or the gate refuses. */
async function answerTo(
  { http }: CheckContext,
  asked: Asked,
  session: Partial<Pick<Identity, 'jar' | 'headers'>> = {},
): Promise<Exchange | undefined> {
  try {
    const { url, body } = asked;
    if (body === undefined) return await http.get(url, session);
    const { jar, headers = [] } = session;
    return await http.send({ ...requestFor(asked), ...(jar && { jar }), headers: [...headers, ...jsonHeaders] });
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

const kindsAt = async (context: CheckContext, asked: Asked, min: number): Promise<PrivateKind[]> =>
  kindsIn(context, await answerTo(context, asked), min);

/** Kinds of which there are values of two people, or of one for a hash: nobody needs that of a password. */
function kindsIn({ leave }: CheckContext, exchange: Exchange | undefined, min: number): PrivateKind[] {
  if (exchange?.status !== 200) return [];
  try {
    return Array.from(privateData(exchange.text)).flatMap(([kind, people]) =>
      people >= leastOf(kind, min) ? kind : [],
    );
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code !== 'too_large') throw error;
    leave({ code: 'page_cut', count: 1, text: `${exchange.request.url} was not looked at: ${error.message}` });
    return [];
  }
}

const leastOf = (kind: PrivateKind, min: number): number => (kind === 'hash' ? min : 2);

function experimentFor({ asked, kinds, min }: GivenOut): Experiment {
  const shown = [
    claim('status', 'equals', '200'),
    ...kinds.map((kind) => claim('body:private-data', 'matches', privateLinePattern(kind, leastOf(kind, min)))),
  ];
  return {
    steps: [{ http: requestFor(asked), note: 'The answer has private data of several people.', expect: shown }],
    control: [
      {
        http: requestFor({ ...asked, url: siblingOf(asked.url, '‹nonce›') }),
        note: 'A random address beside it has none: it is no page that shows everything.',
        expect: shown,
      },
    ],
  };
}
