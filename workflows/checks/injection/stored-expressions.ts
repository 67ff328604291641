import type { Exchange } from '../../model/http.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { cookiesOf } from '../inputs/open-input.ts';
import { placeAfter } from './entry-places.ts';
import { isRefused, plant, type Sends, unlessRefused } from './plant.ts';
import type { Sighting } from './stored-places.ts';
import { cookiesGiven, type PlantedValue, read } from './stored-reads.ts';
import { mayTry } from './stored-values.ts';
import type { StoringForm } from './storing-form.ts';
import type { ExpressionForm } from './template-forms.ts';

/** A field whose value a page shows evaluated. */
export type EvaluatedField = {
  form: StoringForm;
  parameter: string;
  sighting: Sighting;
  expression: ExpressionForm;
  /** Cookies by which who sent the form is shown it, those of each step that it has. */
  kept?: ReturnType<typeof cookiesOf>[];
};

type ShownText = { parameter: string; sightings: Sighting[] };
/** An expression as it is stored, and what it would be shown as. */
type StoredExpression = { expression: ExpressionForm; value: string; result: string };

/** Expressions that may stand in one text. */
type ExpressionGroup = {
  forms: readonly ExpressionForm[];
  /** Tried where the one before it was taken and shown by no page as it was stored, and another one where it was. */
  instead?: readonly ExpressionForm[];
};

/** Pages on which one value is looked for again. */
const maxSightings = 4;
/** Some fields take a hundred signs. */
const wordLength = 6;

/**
 * Stores expressions in the fields whose words were seen on pages, in all of a form's fields at once, and finds those that are
 * shown as their result.
 * @param together a group for each time that the form is sent
 * @throws ProbeError, ProofError
 */
export async function evaluatedFields(
  context: CheckContext,
  seen: ReadonlyMap<PlantedValue, Sighting[]>,
  sends: Sends,
  together: readonly ExpressionGroup[],
): Promise<EvaluatedField[]> {
  const found: EvaluatedField[] = [];
  for (const [form, values] of Map.groupBy(seen.keys(), (value) => value.form)) {
    const shown = values.flatMap((value) => shownText(context, form, value.parameter, seen.get(value) ?? []));
    // Each field by itself: one that is cut, or evaluated, says nothing of the others.
    let unshown: ReadonlySet<string> = new Set();
    for (const { forms, instead } of together) {
      const open = shown.filter(({ parameter }) => !found.some((each) => isOf(each, form, parameter)));
      if (open.length === 0 || !mayTry(sends, form)) break;
      const groupOf = ({ parameter }: ShownText) => (unshown.has(parameter) && instead ? instead : forms);
      const stored = await storeExpressions(context, { form, sends }, open, groupOf);
      found.push(...stored.found);
      unshown = stored.unshown;
    }
  }
  return found;
}

const isOf = (field: EvaluatedField, form: StoringForm, parameter: string): boolean =>
  field.form === form && field.parameter === parameter;

/** What script puts into a page was evaluated by no server; a field for addresses takes no expression. */
function shownText(
  context: CheckContext,
  { addresses }: StoringForm,
  parameter: string,
  sightings: readonly Sighting[],
): ShownText[] {
  const ofPlace = new Map(sightings.filter(({ isScripted }) => !isScripted).map((each) => [each.url, each]));
  if (ofPlace.size === 0 || Object.hasOwn(addresses, parameter)) return [];
  return [
    { parameter, sightings: likeliest(context, [...ofPlace.values()], maxSightings, 'pages that show a stored value') },
  ];
}

async function storeExpressions(
  context: CheckContext,
  { form, sends }: { form: StoringForm; sends: Sends },
  fields: readonly ShownText[],
  groupOf: (field: ShownText) => readonly ExpressionForm[],
): Promise<{ found: EvaluatedField[]; unshown: Set<string> }> {
  const attempts = fields.map((field) => ({
    ...field,
    expressions: groupOf(field).map((each) => written(context, each)),
  }));
  const given = new Map(
    attempts.map(({ parameter, expressions }) => [parameter, expressions.map(({ value }) => value).join(' ')]),
  );
  const found: EvaluatedField[] = [];
  const unshown = new Set<string>();
  const look = async (answer: Exchange, answers: readonly Exchange[]): Promise<void> => {
    if (isRefused(answer)) return;
    const textOf = pageReader(context, answers);
    for (const { parameter, sightings, expressions } of attempts)
      for (const [index, each] of sightings.entries()) {
        const sighting = await placeAfter(context, form, answer, each);
        sightings[index] = sighting;
        const text = await textOf(sighting);
        const evaluated = expressions.find(({ result }) => text.includes(result));
        if (!expressions.every(({ value }) => /[<>"'&]/.test(value) || text.includes(value))) unshown.add(parameter);
        if (!evaluated) continue;
        const kept = sighting.isOfSender
          ? { kept: answers.map((each, step) => cookiesOf(each, step === 0 ? 'kept' : `kept${step}of`)) }
          : {};
        found.push({ form, parameter, sighting, expression: evaluated.expression, ...kept });
        break;
      }
  };
  await unlessRefused(() => plant(context, { form, sends }, given, look));
  return { found, unshown };
}

function written({ nonce }: CheckContext, expression: ExpressionForm): StoredExpression {
  const values = newTrialValues(() => nonce(wordLength));
  return { expression, value: fill(expression.value, values), result: fill(expression.result, values) };
}

/** Reads each page once for all fields. */
function pageReader(context: CheckContext, answers: readonly Exchange[]): (sighting: Sighting) => Promise<string> {
  const texts = new Map<string, string>();
  return async (sighting) => {
    const { url } = sighting;
    const key = `${sighting.viewer} ${sighting.isOfSender ?? false} ${url}`;
    const text =
      texts.get(key) ??
      (await read(context, sighting.viewer, url, sighting.isOfSender ? cookiesGiven(...answers) : []))?.text ??
      '';
    texts.set(key, text);
    return text;
  };
}
