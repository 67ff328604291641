import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import type { AccountPair } from './default-accounts.ts';

/** A page that a browser asks a name and a password for (RFC 7617), and a pair that opens it. */
export type BasicEntrance = { url: string; pair: AccountPair };

/** Pages of one realm take the same accounts. */
const maxPages = 2;
const realm = /^basic(?:\s+(?:.*?\brealm="?([^"]*)"?)?|$)/i;

/** Pages that HTTP Basic guards, one of each realm, with the first pair that opens each. @throws ProbeError */
export async function basicEntrances(
  context: CheckContext,
  pairsFor: (words: string) => readonly AccountPair[],
): Promise<Candidate<BasicEntrance>[]> {
  const guarded = context.surface.pages.filter((page) => realmOf(page) !== undefined);
  const pages = [...new Map(guarded.toReversed().map((page) => [realmOf(page), page])).values()];
  const found: Candidate<BasicEntrance>[] = [];
  for (const page of sample(context, pages, maxPages, 'realms of HTTP Basic', 'most sites have one')) {
    const { url } = page;
    const pair = await pairFor(
      context,
      url,
      pairsFor(`${realmOf(page)} ${percentDecodedOrSame(new URL(url).pathname)}`),
    );
    if (!pair) continue;
    const [name, password] = pair;
    found.push({
      location: { url, method: 'GET', parameter: 'Authorization', parameterIn: 'header' },
      route: normaliseRoute(url),
      detail: `HTTP Basic accepts "${name}" with the password "${password}".`,
      data: { url, pair },
    });
  }
  return found;
}

function realmOf({ status, headers }: PageSurface): string | undefined {
  const asked = headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1] ?? '';
  const match = status === 401 ? realm.exec(asked) : null;
  return match ? (match[1] ?? '') : undefined;
}

async function pairFor({ http }: CheckContext, url: string, pairs: readonly AccountPair[]) {
  for (const pair of pairs) {
    const { status } = await http.get(url, { fresh: true, headers: [basic(...pair)] });
    if (status === 429 || status === 423) return undefined;
    if (status === 200) return pair;
  }
  return undefined;
}

const basic = (name: string, password: string): [string, string] => [
  'Authorization',
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
];

/** The pair opens the page; the same name with another password, and nobody, do not. */
export function basicExperiment({ url, pair: [name, password] }: BasicEntrance): Experiment {
  const shown = [claim('status', 'equals', '200')];
  const refused = [claim('status', 'equals', '401')];
  return {
    steps: [
      { http: { url }, note: 'Nobody is shown the page.', expect: refused },
      {
        http: { url, headers: [basic(name, `${password}-other`)] },
        note: 'The name with another password is refused.',
        expect: refused,
      },
      { http: { url, headers: [basic(name, password)] }, note: 'The account opens the page.', expect: shown },
    ],
    control: [
      {
        http: { url, headers: [basic(`${name}-other`, password)] },
        note: 'Another name with the same password does not.',
        expect: shown,
      },
    ],
  };
}
