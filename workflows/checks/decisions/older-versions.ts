import type { Exchange } from '../../model/http.ts';
import { isLeftOut } from '../../probe/errors.ts';
import type { CheckContext } from '../contract.ts';
import { eachKindAtMost, sample } from '../inputs/at-most.ts';
import { neighboursOf } from '../sessions/neighbour-ids.ts';
import { addressOfObject, type ObjectAddress, objectsIn } from '../sessions/objects.ts';
import type { PageChange } from './opened-page.ts';
import { isRefusing } from './refused-page.ts';

const version = /^(v)(\d{1,2})$/i;

/** The same address in older versions of an interface, which were left as they were: "/api/v2/users/1" in "/api/v1/users/1". */
export function versionChanges(url: string): PageChange[] {
  const { origin, pathname, search } = new URL(url);
  const segments = pathname.split('/');
  const at = segments.findIndex((segment) => version.test(segment));
  const [, letter = '', digits = ''] = version.exec(segments[at] ?? '') ?? [];
  const number = Number(digits);
  const older = [...new Set([number - 1, 1])].filter((each) => each >= 1 && each < number);
  return at === -1 || at === segments.length - 1
    ? []
    : older.map((each) => {
        const changed = segments.with(at, letter + each);
        return {
          what: `version ${each} of the interface in its path`,
          refused: { url },
          changed: { url: `${origin}${changed.join('/')}${search}` },
          twin: { url: `${origin}${changed.with(-1, '‹nonce›').join('/')}${search}` },
        };
      });
}

const random = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const randomIn = /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi;
const maxLists = 4;

/** Random identifiers of others, as answers in JSON name them to the visitor. @throws ProbeError */
async function listedBeside(context: CheckContext, own: string): Promise<string[]> {
  const answers = context.surface.pages.filter(
    ({ status, contentType }) => status === 200 && /json/i.test(contentType),
  );
  const urls = [...new Set(answers.map(({ url }) => url.replace(/#.*$/s, '')))];
  const found = new Set<string>();
  for (const url of sample(
    context,
    urls,
    maxLists,
    'answers that may name others',
    'answers of one site name the same',
  ))
    for (const [id] of ((await answerAt(context, url))?.text ?? '').matchAll(randomIn)) found.add(id);
  found.delete(own);
  return [...found];
}

const maxKinds = 3;

/** Of a kind so many are tried: a site that refuses whatever is not one's own refuses numbers of nobody, too. */
const maxRefused = 4;

/** For each kind of object, answers that keep from a visitor what lies beside their own, at addresses with a version in them. */
export async function refusedNeighbours(context: CheckContext): Promise<Exchange[][]> {
  const objects = objectsIn(context.surface).filter(
    ({ url, in: place, identifier }) =>
      place === 'path' &&
      versionChanges(url).length > 0 &&
      (neighboursOf(identifier) !== undefined || random.test(identifier)),
  );
  const kinds = { max: maxKinds, maxOfKind: 1, enough: 1, kindOf: ({ kind }: ObjectAddress) => kind };
  const refused: Exchange[][] = [];
  for (const { url, identifier, parameter } of eachKindAtMost(context, objects, kinds, 'objects of an interface')) {
    const ofKind: Exchange[] = [];
    const others = neighboursOf(identifier)?.values ?? (await listedBeside(context, identifier));
    for (const other of others.slice(0, maxRefused)) {
      const answer = await answerAt(context, addressOfObject(url, 'path', parameter, identifier, other));
      if (answer && isRefusing(answer)) ofKind.push(answer);
    }
    refused.push(ofKind);
  }
  return refused.filter(({ length }) => length > 0);
}

/** @returns undefined for what is left out on purpose */
async function answerAt({ http }: CheckContext, url: string): Promise<Exchange | undefined> {
  try {
    return await http.get(url);
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}
