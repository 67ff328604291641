import type { Exchange } from '../../model/http.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { cookiesGiven, read } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';
import { storingForm } from './storing-forms.ts';

/** Steps of one form after the other; longer ones are rare. */
const maxSteps = 4;

/**
 * The forms that were sent, and the one of the next step: on the page that the answers lead to, which is shown to who has the cookies
 * of the steps before, and to nobody else.
 * @param answers one for each form that was sent
 * @throws ProbeError
 */
export async function withNextStep(
  context: CheckContext,
  sent: readonly StoringForm[],
  answers: readonly Exchange[],
): Promise<StoringForm | undefined> {
  const cookies = cookiesGiven(...answers);
  const [first, last] = [sent[0], answers.at(-1)];
  const url = last && targetOf(last);
  if (!first || !url || cookies.length === 0 || sent.length === maxSteps) return undefined;
  const origin = new URL(last.request.url).origin;
  if (new URL(url).origin !== origin) return undefined;
  const taken = new Set(sent.flatMap(({ inputs }) => inputs.map(({ parameter }) => parameter)));
  const isNext = ({ inputs }: StoringForm): boolean => inputs.every(({ parameter }) => !taken.has(parameter));
  const next = stepsOn(await read(context, '', url, cookies), origin).find(isNext);
  if (!next) return undefined;
  const places = stepsOn(await read(context, '', url), origin).map(placeOf);
  if (places.includes(placeOf(next))) return undefined;
  const steps = [...sent, next];
  return {
    ...{ identity: '', pageUrl: first.pageUrl, steps },
    inputs: steps.flatMap(({ inputs }) => inputs),
    addresses: Object.assign({}, ...steps.map(({ addresses }) => addresses)),
  };
}

/** Whether a form is a later step of one of these: by itself it leads nowhere. */
export const isLaterStep = (form: StoringForm, walks: readonly StoringForm[]): boolean =>
  walks.some(({ steps = [] }) => steps.slice(1).some((step) => placeOf(step) === placeOf(form)));

const placeOf = ({ inputs }: StoringForm): string =>
  inputs.map(({ method, url, parameter }) => `${method} ${url} ${parameter}`).join(' ');

function stepsOn(page: Exchange | undefined, origin: string): StoringForm[] {
  if (page?.status !== 200 || !isHtml(page)) return [];
  const forms = parsePage(page.text, page.request.url).forms.filter(({ action }) => new URL(action).origin === origin);
  // A token of a step belongs to the session of one trial.
  return forms
    .flatMap((form) => storingForm(form) ?? [])
    .filter(({ inputs: [input] }) => input?.page?.tokens.length === 0);
}
