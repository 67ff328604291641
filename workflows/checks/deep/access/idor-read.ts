import type { Exchange } from '../../../probe/types.ts';
import { claim, type Experiment } from '../../../proof/experiment.ts';
import {
  type Candidate,
  type CheckContext,
  defineCheck,
  type Identity,
  notApplicable,
  notRun,
} from '../../contract.ts';
import { addressesIn, type ObjectAddress, objectsIn } from '../../support/objects.ts';
import { isMailAddress, mostPersonalFirst, patternFor, textsOf } from '../../support/private-text.ts';
import { byRole } from '../../support/roles.ts';

type Foreign = {
  object: ObjectAddress;
  owner: string;
  reader: string;
  /** An object of the same kind that the reader is shown, and the owner is not. */
  readersOwn?: string;
  /** Both have objects of this kind, and none that another visitor is shown too: each has their own. */
  isPersonalKind: boolean;
};

/** Objects of one kind that are tried for each pair of identities. */
const maxPerKind = 2;
const maxCandidates = 60;

/** One user reads what belongs to another by naming its identifier. Source: CWE-639, WSTG-ATHZ-04. */
export const idorRead = defineCheck<Foreign>({
  id: 'access.idor-read',
  title: 'A user can read the data of another user',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  detect(context) {
    const pairs = pairsOf(context);
    if (pairs.length === 0)
      return notRun('It takes two identities without administrator rights, each with a proven login.');
    const objects = Object.values(context.surfaces).flatMap(objectsIn);
    if (objects.length === 0)
      return notApplicable('No address that the identities see names an object by an identifier.');
    return pairs.flatMap(([owner, reader]) => candidatesFor(context, owner, reader)).slice(0, maxCandidates);
  },

  async confirm(context, { data }) {
    return data && makeExperiment(context, data);
  },

  explain: {
    description:
      'The site takes an identifier from the address and gives out what it names without asking whether it belongs to whoever is logged in. An object that only its owner is shown was read in the session of another user.',
    impact:
      'Any user can go through the identifiers and collect the data of all others: orders, invoices, messages, addresses. That is a personal data breach as soon as one person tries it.',
    remedy:
      'Make ownership part of every query instead of checking it beside: `SELECT … FROM orders WHERE id = $1 AND customer_id = $2` with the customer of the session, and answer 404 when nothing comes back. Enforce it in one place (row-level security, a policy layer, a scoped repository such as `current_user.orders.find(id)`), and test each route with a second user. Identifiers that cannot be guessed do not replace the check.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'WSTG-ATHZ-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    ],
  },
});

/** Ordered pairs of ordinary users that were surveyed. */
function pairsOf(context: CheckContext): [Identity, Identity][] {
  const { users } = byRole(context);
  return users.flatMap((owner) =>
    users.filter((other) => other !== owner).map((other): [Identity, Identity] => [owner, other]),
  );
}

/** The site itself says whose an object is: it shows it to its owner, and not to anybody else. */
function candidatesFor({ surface, surfaces }: CheckContext, owner: Identity, reader: Identity): Candidate<Foreign>[] {
  const [ownersView, readersView] = [surfaces[owner.name], surfaces[reader.name]];
  if (!ownersView || !readersView) return [];
  const shownToOthers = new Set([...addressesIn(surface), ...addressesIn(readersView)]);
  const shownToOwner = addressesIn(ownersView);
  const ownersObjects = objectsIn(ownersView);
  const sharedKinds = new Set(ownersObjects.filter(({ url }) => shownToOthers.has(url)).map(({ kind }) => kind));
  const readersOwn = objectsIn(readersView).filter(({ url }) => !shownToOwner.has(url));
  const perKind = new Map<string, number>();
  const candidates: Candidate<Foreign>[] = [];
  for (const object of ownersObjects) {
    const count = perKind.get(object.kind) ?? 0;
    if (shownToOthers.has(object.url) || count === maxPerKind) continue;
    perKind.set(object.kind, count + 1);
    const twin = readersOwn.find(({ kind }) => kind === object.kind);
    candidates.push({
      location: { url: object.url, parameter: object.parameter, parameterIn: object.in },
      detail: `It is shown to "${owner.name}", and "${reader.name}" can read it.`,
      data: {
        object,
        owner: owner.name,
        reader: reader.name,
        isPersonalKind: twin !== undefined && !sharedKinds.has(object.kind),
        ...(twin ? { readersOwn: twin.url } : {}),
      },
    });
  }
  return candidates;
}

type Views = {
  owner: Exchange;
  ownerAgain: Exchange;
  reader: Exchange;
  anonymous: Exchange;
  readersOther: Exchange[];
  ownersOther: Exchange;
};

async function viewsOf({ http, identities }: CheckContext, data: Foreign): Promise<Views | undefined> {
  const [owner, reader] = [identities[data.owner], identities[data.reader]];
  if (!owner || !reader) return undefined;
  const as = ({ jar, headers }: Identity, url: string) => http.get(url, { fresh: true, jar, headers });
  const { url } = data.object;
  return {
    owner: await as(owner, url),
    ownerAgain: await as(owner, url),
    reader: await as(reader, url),
    anonymous: await http.get(url, { fresh: true }),
    readersOther: [
      await as(reader, reader.checkUrl),
      ...(data.readersOwn === undefined ? [] : [await as(reader, data.readersOwn)]),
    ],
    ownersOther: await as(owner, owner.checkUrl),
  };
}

/** The experiment, when there is a text that the owner sees and the reader too, and nothing else explains that. */
async function makeExperiment(context: CheckContext, data: Foreign): Promise<Experiment | undefined> {
  const views = await viewsOf(context, data);
  if (views?.owner.status !== 200 || views.reader.status !== 200) return undefined;
  const texts = privateTexts(views, data.object);
  // Whose it is: a kind of which each has their own, or an object that holds the owner's mail address.
  if (!data.isPersonalKind && !texts.some((text) => isOwnersAddress(text, views))) return undefined;
  for (const text of texts) {
    const pattern = patternFor(text, [views.owner.text, views.ownerAgain.text]);
    if (pattern !== undefined) return experimentFor(data, pattern);
  }
  return undefined;
}

/** A reader who is refused sees a part at most: the heading, the identifier that was asked for. */
const minShare = 0.5;

/** Texts of the object itself that both users see, and neither an anonymous visitor nor the reader's own pages show. */
function privateTexts(views: Views, { identifier }: ObjectAddress): string[] {
  const textsIn = ({ text, header }: Exchange) => textsOf(text, header('content-type') ?? '');
  const [again, readers] = [textsIn(views.ownerAgain), textsIn(views.reader)];
  const elsewhere = [views.anonymous, ...views.readersOther].map(({ text }) => text);
  // What repeats the identifier of the address says nothing that was not asked with it.
  const owners = [...textsIn(views.owner)].filter(
    (text) => again.has(text) && !text.includes(identifier) && !elsewhere.some((other) => other.includes(text)),
  );
  const shared = owners.filter((text) => readers.has(text));
  const ofObject = owners.filter((text) => !views.ownersOther.text.includes(text));
  const seen = ofObject.filter((text) => readers.has(text));
  return seen.length < ofObject.length * minShare ? [] : mostPersonalFirst(shared);
}

const isOwnersAddress = (text: string, { ownersOther }: Views): boolean =>
  isMailAddress(text) && ownersOther.text.includes(text);

function experimentFor({ object, owner, reader, readersOwn }: Foreign, pattern: string): Experiment {
  const http = { url: object.url };
  const seen = [
    claim('status', 'equals', '200'),
    claim('body', 'contains', '‹private›', 'The text of the owner’s object.'),
  ];
  const ownPage = readersOwn && {
    http: { url: readersOwn },
    identity: reader,
    note: 'The reader’s own object of this kind does not hold that text.',
    expect: [claim('status', 'equals', '200'), claim('body', 'not-contains', '‹private›')],
  };
  return {
    steps: [
      {
        http,
        identity: owner,
        note: 'The owner reads the object; a text of it is remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern, secret: true }],
      },
      { http, identity: reader, note: 'Another user reads the same text at the same address.', expect: seen },
    ],
    control: [
      ...(ownPage ? [ownPage] : []),
      { http, note: 'Without a login the text is not shown: it is not public.', expect: seen },
    ],
  };
}
