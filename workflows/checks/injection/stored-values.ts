import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import type { CheckContext } from '../contract.ts';
import type { Reflection } from '../dom/reflection.ts';
import { type Payload, payloadsFor, withoutFocus } from '../dom/xss-payloads.ts';
import { likeliest } from '../inputs/at-most.ts';
import { placeAfter } from './entry-places.ts';
import { isHandedOver } from './handed-over.ts';
import { askForSchemes, type SchemeQuestion } from './kept-schemes.ts';
import { linksOfScript } from './markup-ways.ts';
import { survivorsByPlace } from './place-survivors.ts';
import { plant, type Sends, sendsLeft, sendsOfProof, unlessRefused } from './plant.ts';
import type { Sighting } from './stored-places.ts';
import { storedPolicyPayloads } from './stored-policies.ts';
import { type PlantedValue, read, shownSessionOf } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';
import { type Survivors, signsBetween, survivorsIn } from './survivors.ts';

/** A field whose value others are shown, and what script in it would have to look like there. */
export type ShownField = {
  form: StoringForm;
  parameter: string;
  sightings: Sighting[];
  payloads: Payload[];
  /** It is the name of a file, of which servers take what stands behind the last slash. */
  isFileName: boolean;
  /** Signs in all fields at once were not stored, as where they are too long for one of them. */
  isApart?: true;
  /** Characters of a text that was shown without its end: what is longer would be cut, and leave markup open. */
  room?: number;
};

/** Pages on which one value is looked for again. */
const maxSightings = 3;

/**
 * Finds the fields whose words are shown to others, and which signs of script come back there as they are.
 * @throws ProbeError, ProofError
 */
export async function shownFields(
  context: CheckContext,
  seen: ReadonlyMap<PlantedValue, Sighting[]>,
  sends: Sends,
): Promise<ShownField[]> {
  const fields: ShownField[] = [];
  for (const [form, values] of Map.groupBy(seen.keys(), (value) => value.form)) {
    const shown = values.flatMap((value) => {
      const sightings = shownToOthers(context, form, seen.get(value) ?? []);
      const { parameter } = value;
      return sightings.length === 0 ? [] : [{ form, parameter, sightings, isFileName: isFileName(form, parameter) }];
    });
    fields.push(...(await withPayloads(context, form, shown, sends)));
  }
  return fields;
}

/**
 * Whose own page alone runs a script has been attacked by nobody; where there is nobody else, nothing distinguishes the two. What is
 * handed over to those who run the site is shown to them as well, whom the audit cannot be.
 */
function shownToOthers(context: CheckContext, form: StoringForm, sightings: readonly Sighting[]): Sighting[] {
  const { identity } = form;
  const toOthers = sightings.filter(
    ({ viewer, isOfSender, isData }) => !isOfSender && !isData && (identity === '' || viewer !== identity),
  );
  const isAlone = Object.keys(context.surfaces).length === 1;
  const isOwnEnough = isAlone || isHandedOver(context, form);
  const shown =
    toOthers.length > 0 || !isOwnEnough
      ? toOthers
      : sightings.filter(({ isOfSender, isData }) => !isOfSender && !isData);
  const ofPlace = new Map(shown.toReversed().map((each) => [each.url, each]));
  return likeliest(context, [...ofPlace.values()].toReversed(), maxSightings, 'pages that show a stored value');
}

const isFileName = ({ inputs }: StoringForm, parameter: string): boolean =>
  inputs.some((input) => input.parameter === parameter && input.file?.field === parameter);

type ShownValue = Omit<ShownField, 'payloads'>;

/** Stores the signs that script needs in all of a form's fields at once; fields in which none would run are left out. */
async function withPayloads(
  context: CheckContext,
  form: StoringForm,
  shown: readonly ShownValue[],
  sends: Sends,
): Promise<ShownField[]> {
  if (shown.length === 0) return [];
  // What script has made of signs is written anew when it is read.
  const inAnswers = shown.filter(({ sightings }) => sightings.every(({ isScripted }) => !isScripted));
  const words = new Map(
    inAnswers.map((each) => {
      const schemes = askForSchemes(context.nonce(), addressesAt(each.sightings));
      return [each, { begin: context.nonce(), end: context.nonce(), tag: context.nonce(), schemes }];
    }),
  );
  const given = new Map(
    [...words].map(([{ parameter, isFileName }, { begin, end, tag, schemes }]) => {
      const signs = tagWith(tag) + signsBetween(begin, end) + schemes.text;
      return [parameter, isFileName ? signs.replaceAll('/', '').replaceAll('\\', '') : signs];
    }),
  );
  const survivors = new Map<ShownValue, Survivors>();
  const byPlace = new Map<ShownValue, ReturnType<typeof survivorsByPlace>>();
  const keptSchemes = new Map<ShownValue, ReturnType<SchemeQuestion['isKept']>>();
  const rooms = new Map<ShownValue, number>();
  let isStored = false;
  const lookForSigns = () =>
    plant(context, { form, sends }, given, async (answer) => {
      for (const [each, { begin, end, tag, schemes }] of words) {
        const texts = [];
        each.sightings = await Promise.all(each.sightings.map((one) => placeAfter(context, form, answer, one)));
        for (const sighting of each.sightings) texts.push(await textOf(context, sighting));
        const reflections = each.sightings.flatMap((sighting) => sighting.reflections);
        const hasTags = texts.some((text) => hasTag(text, tag));
        isStored ||= texts.some((text) => text.includes(begin) || text.includes(tag));
        survivors.set(each, survivorsIn(texts.join('\n'), { begin, end, reflections, hasTags }));
        byPlace.set(each, survivorsByPlace(texts, { begin, end }));
        keptSchemes.set(each, schemes.isKept(texts.join('\n')));
        const isCut = texts.some((text) => text.includes(begin)) && !texts.some((text) => text.includes(end));
        if (isCut) rooms.set(each, tagWith(tag).length + signsBetween(begin, end).length - 1);
      }
    });
  if (words.size > 0) await unlessRefused(lookForSigns);
  const isApart = words.size > 1 && !isStored;
  const isLong = ({ parameter }: ShownValue): boolean => isLongText(context, form, parameter);
  const allowed = new Map<ShownValue, Payload[]>();
  for (const each of shown) allowed.set(each, await storedPolicyPayloads(context, each.sightings));
  const inOrder = isApart ? shown.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a))) : shown;
  return inOrder.flatMap((each) => {
    const survives = survivors.get(each) ?? (() => true);
    const isKept = keptSchemes.get(each) ?? (() => false);
    const usual = [...(allowed.get(each) ?? []), ...payloadsAt(each.sightings, byPlace.get(each))]
      .filter(({ value }) => survives(value) && !(each.isFileName && slashes.test(value)))
      .toSorted((a, b) => Number(isKept(b)) - Number(isKept(a)));
    const isText = each.sightings.some(({ reflections }) => reflections.some(isPlainText));
    const all = isText && !survives('<') ? [...linksOfScript, ...usual] : usual;
    const room = rooms.get(each);
    const payloads = room === undefined ? all : shortestOf(all, room, context.nonce());
    return payloads.length === 0
      ? []
      : [{ ...each, payloads, ...(isApart && { isApart }), ...(room !== undefined && { room }) }];
  });
}

/** The shortest first: of the room no more is known than what it is too small for. */
const shortestOf = (payloads: readonly Payload[], room: number, word: string): Payload[] => {
  const lengthOf = ({ value }: Payload) => value.replaceAll('‹nonce›', word).length;
  return payloads.filter((payload) => lengthOf(payload) <= room).toSorted((a, b) => lengthOf(a) - lengthOf(b));
};

/** A field for more than a line, which takes what others do not. */
const isLongText = (
  { surface, surfaces }: CheckContext,
  { identity, inputs }: StoringForm,
  parameter: string,
): boolean =>
  (surfaces[identity] ?? surface).forms.some(
    ({ action, fields }) =>
      action === inputs[0]?.url && fields.some(({ name, type }) => name === parameter && type === 'textarea'),
  );

const slashes = /[/\\]/;

const isPlainText = (reflection: Reflection): boolean => reflection.kind === 'markup' && reflection.end === '';

/** Addresses of script, for places where one begins. */
const addressesAt = (sightings: readonly Sighting[]): Payload[] =>
  sightings.flatMap(({ reflections }) => reflections.filter(({ kind }) => kind === 'url').flatMap(payloadsFor));

/** In front of the signs, so that what takes out tags leaves those; short, since fields have a length. */
const tagWith = (word: string): string => `<b ${word}>`;

const hasTag = (text: string, word: string): boolean =>
  [...nodesOf(text)].some((node) => isElement(node) && attributeOf(node, word) !== undefined);

/**
 * Those of each place in turn, so that no place takes all the sends there are; what needs signs that its place encodes behind the others,
 * and what takes a second decoding last.
 */
function payloadsAt(
  sightings: readonly Sighting[],
  byPlace: ReturnType<typeof survivorsByPlace> = () => undefined,
): Payload[] {
  const encoded = new Set<Payload>();
  const ofPlaces = sightings.flatMap(({ reflections, isScripted }) =>
    reflections.map((reflection) => {
      const payloads = storedPayloadsFor(reflection);
      const survives = byPlace(reflection) ?? (() => true);
      for (const payload of payloads) if (!survives(payload.value)) encoded.add(payload);
      // Markup that script puts in runs no element of script, and no load of what is in it already.
      const runsLate = ({ value }: Payload) => /onerror|ontoggle|onfocus/.test(value);
      return isScripted ? payloads.toSorted((a, b) => Number(runsLate(b)) - Number(runsLate(a))) : payloads;
    }),
  );
  const longest = Math.max(0, ...ofPlaces.map(({ length }) => length));
  const inTurns = Array.from({ length: longest }, (_, index) => ofPlaces.flatMap((payloads) => payloads[index] ?? []));
  const likeliestFirst = inTurns.flat().toSorted((a, b) => Number(encoded.has(a)) - Number(encoded.has(b)));
  const all = [...new Map(likeliestFirst.map((payload) => [payload.value, payload])).values()];
  return all.toSorted((a, b) => Number(isEncoded(a)) - Number(isEncoded(b)));
}

/** Of all that was stored in a list, the first has the focus. */
const storedPayloadsFor = (reflection: Reflection): Payload[] => {
  const all = [...payloadsFor(reflection), ...withoutFocus(reflection)];
  const needsFocus = ({ value }: Payload) => value.includes('autofocus');
  return [...all.filter((payload) => !needsFocus(payload)), ...all.filter(needsFocus)];
};

const isEncoded = ({ value }: Payload): boolean => value.includes('%3C');

/** The page of a sighting as it is now; script has to make it where it made it before. */
export async function textOf(context: CheckContext, { url, viewer, isScripted }: Sighting): Promise<string> {
  if (!isScripted) return (await read(context, viewer, url))?.text ?? '';
  return (await context.browser.visit({ url, ...shownSessionOf(context, viewer) })).html;
}

/** Whether another value can be tried, and still be proven. */
export const mayTry = (sends: Sends, form: StoringForm): boolean => sendsLeft(sends, form) > sendsOfProof;
