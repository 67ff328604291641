import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { isLaterStep, withNextStep } from './form-steps.ts';
import { plant, plantSteps, type Sends, unlessRefused } from './plant.ts';
import { type LeadingAnswer, type Sighting, sightingsOf } from './stored-places.ts';
import { cookiesGiven, type PlantedValue } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';
import { storingForms } from './storing-forms.ts';
import { turnsAway } from './turns-away.ts';

/** Forms that store, how those without an undo were answered, where a word of each of their fields is shown, and how often they were sent for that. */
type StoredWords = {
  forms: StoringForm[];
  answers: LeadingAnswer[];
  seen: Map<PlantedValue, Sighting[]>;
  sends: Sends;
};

/** Why a check of stored values has nothing to look at. */
export const noStoringForm =
  'No form stores what it is sent and can be put back; one that cannot is sent with "writes": "create" alone.';

/** By the surface, which all checks of an activity share: the words are stored once for all of them. */
const known = new WeakMap<Surface, Promise<StoredWords>>();

/**
 * Stores a word in each field of the forms that may be sent, and finds where it is shown. `sends` is the caller's own.
 * @throws ProbeError, ProofError
 */
export async function storedWords(context: CheckContext): Promise<StoredWords> {
  const storing = known.get(context.surface) ?? storeWords(context);
  known.set(context.surface, storing);
  try {
    const { sends, ...words } = await storing;
    return { ...words, sends: new Map(sends) };
  } catch (error) {
    known.delete(context.surface);
    throw error;
  }
}

/** What can be put back is stored inside each other, so that the pages are read once with all words in them. */
async function storeWords(context: CheckContext): Promise<StoredWords> {
  const forms = await storingForms(context);
  const sends: Sends = new Map();
  const seen = new Map<PlantedValue, Sighting[]>();
  const planted: PlantedValue[] = [];
  const answers: LeadingAnswer[] = [];
  const walks: StoringForm[] = [];
  const turnedAway = new Set<StoringForm>();
  /** Goes on in the session of the steps that were sent, with further words. */
  const goOn = async (
    sent: readonly StoringForm[],
    words: PlantedValue[],
    given: readonly Exchange[],
  ): Promise<void> => {
    const walk = await withNextStep(context, sent, given);
    const [next] = walk?.steps?.slice(-1) ?? [];
    if (!walk?.steps || !next) return;
    walks.push(walk);
    sends.set(walk, 1);
    const values = [...words, ...wordsFor(context, next)].map((value) => ({ ...value, form: walk }));
    const all = new Map(values.map(({ parameter, value }) => [parameter, value]));
    const look = async (answer: Exchange, all: readonly Exchange[]): Promise<void> => {
      planted.push(...values);
      answers.push({ form: walk, answer, leadsTo: targetOf(answer), cookies: cookiesGiven(...all) });
      await goOn(walk.steps ?? [], values, all);
    };
    await plantSteps(context, walk.steps, all, look, undefined, given);
  };
  const storeFrom = async (index: number): Promise<void> => {
    const listed = forms[index];
    const form = listed && keeping(listed, planted);
    if (form) forms[index] = form;
    if (!form) {
      for (const [value, sightings] of await sightingsOf(context, planted, answers)) seen.set(value, sightings);
      return;
    }
    const { instead } = form;
    if (isLaterStep(form, walks) || (instead && !turnedAway.has(instead))) return storeFrom(index + 1);
    const values = wordsFor(context, form);
    const given = new Map(values.map(({ parameter, value }) => [parameter, value]));
    let isStored = false;
    await unlessRefused(() =>
      plant(context, { form, sends }, given, async (answer) => {
        isStored = true;
        if (turnsAway(answer)) turnedAway.add(listed);
        planted.push(...values);
        if (form.plan) return storeFrom(index + 1);
        const leadsTo = targetOf(answer);
        // What stands in the address is shown from there.
        const isCarried = values.some(({ word }) => leadsTo?.includes(word));
        const cookies = form.opensAccount ? [] : cookiesGiven(answer);
        answers.push({ form, answer, leadsTo: isCarried ? undefined : leadsTo, cookies });
        if (form.identity === '' && !form.opensAccount && form.inputs[0]?.method === 'POST')
          await goOn([form], values, [answer]);
      }),
    );
    if (!isStored) turnedAway.add(listed);
    if (!form.plan || !isStored) await storeFrom(index + 1);
  };
  await storeFrom(0);
  return { forms, answers, seen, sends };
}

/** A form that comes filled in replaces what is there: the words that another send of it has stored are sent again. */
function keeping(form: StoringForm, planted: readonly PlantedValue[]): StoringForm {
  const own = planted.filter((each) => each.form.identity === form.identity && each.form.pageUrl === form.pageUrl);
  const kept = ({ name, value }: { name: string; value: string }): string =>
    (value !== '' &&
      own.find(({ parameter, form: sent }) => parameter === name && hasSample(sent, name, value))?.value) ||
    value;
  const inputs = form.inputs.map((input) => ({
    ...input,
    others: input.others.map((other) => ({ name: other.name, value: kept(other) })),
  }));
  return form.plan || own.length === 0 ? form : { ...form, inputs };
}

const hasSample = ({ inputs }: StoringForm, name: string, value: string): boolean =>
  inputs.some(({ parameter, sample }) => parameter === name && sample === value);

function wordsFor({ nonce }: CheckContext, form: StoringForm): PlantedValue[] {
  return form.inputs.map(({ parameter }) => {
    const word = nonce();
    const kind = form.addresses[parameter];
    const value = kind === 'email' ? `${word}@example.com` : kind === 'url' ? `https://${word}.example/` : word;
    return { form, parameter, word, value };
  });
}
