import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { objectsIn } from '../sessions/objects.ts';
import type { NeighbourPlace } from './neighbour-places.ts';
import { listedKinds } from './private-kinds.ts';

type AskAsUser = (action: HttpAction) => Promise<Exchange | undefined>;
type OwnDocument = { value: string; text: string };

/** Documents that have to be for the same person. */
const maxTwins = 3;
/** What stands behind such a word is whom a document is for. */
const holder =
  /\b(?:(?:bill(?:ed)?|ship(?:ped)?|sold|issued|deliver(?:ed)?) to|to|for|name|customer|client|recipient|holder|owner|patient|guest|passenger|tenant|member|employee|student|payer|payee|kunde|client[ea]|nombre|nome|nom)"?\s{0,2}:?(?:\s|<[^<>]{0,80}>|"){0,5}(\p{L}[\p{L} .'’@_-]{2,59})/giu;

const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(holder)].map(([, name = '']) => name.trim()).filter(({ length }) => length >= 3));

/**
 * Names that stand at all documents of a kind that belongs to one account, where a list leads the user to several: the user's own, also
 * where the account is called by a number.
 */
export async function holderNames(
  context: CheckContext,
  user: Identity,
  place: NeighbourPlace,
  own: OwnDocument,
  ask: AskAsUser,
): Promise<string[]> {
  if (!listedKinds.test(place.route)) return [];
  const values = new Set([...valuesOfLinks(context, user, place), ...(await valuesOfForms(place, ask))]);
  values.delete(own.value);
  const texts: string[] = [];
  for (const value of sample(context, [...values], maxTwins, 'documents of a user', 'all are for the same person')) {
    const twin = await ask(place.request(value));
    if (twin?.status === 200) texts.push(twin.text);
  }
  if (texts.length === 0) return [];
  const others = texts.map(namesIn);
  return [...namesIn(own.text)].filter((name) => others.every((each) => each.has(name)));
}

function valuesOfLinks({ surfaces }: CheckContext, { name }: Identity, { kind }: NeighbourPlace): string[] {
  const surface = surfaces[name];
  return (surface ? objectsIn(surface) : []).flatMap((object) => (object.kind === kind ? object.identifier : []));
}

/** A list with a form for each document: surveys keep one form of a kind. */
async function valuesOfForms({ formPage, location }: NeighbourPlace, ask: AskAsUser): Promise<string[]> {
  const page = formPage === undefined ? undefined : await ask({ url: formPage });
  if (page?.status !== 200) return [];
  return parsePage(page.text, page.request.url)
    .forms.filter(({ action }) => action === location.url)
    .flatMap(({ fields }) => fields.flatMap(({ name, value }) => (name === location.parameter ? value : [])));
}
