import type { CallSurface, FormSurface, InputSurface, PageToken, Surface } from '../model/surface.ts';
import { isFreeText } from '../model/typed-text.ts';
import { formKey, keysOfForm, shapeOfForm } from '../probe/gate/form-key.ts';
import { isPageToken } from '../survey/form-inputs.ts';
import { createInputTest } from './bare-forms.ts';
import { withTokens } from './scripted-tokens.ts';
import type { LeftAlone, Neutral, Submission } from './submission.ts';

/** @property tokens what its page gives for its headers @property ownHeaders what the page's scripts send along */
type ScriptedForm = {
  form: FormSurface;
  tokens: readonly PageToken[];
  ownHeaders?: readonly [name: string, value: string][];
};

const type = 'application/x-www-form-urlencoded';

/** Requests with the fields of a form, or none, that a page's script sends, and that no form of the site sends; each once. */
export function scriptedForms({ inputs, forms, calls }: Pick<Surface, 'inputs' | 'forms' | 'calls'>): ScriptedForm[] {
  const isOfForm = ({ url, in: place, parameter, others }: InputSurface): boolean => {
    const sent = place === 'body' ? [parameter] : others.map(({ name }) => name);
    return forms.some(
      ({ method, action, fields }) =>
        method === 'POST' && action === url && sent.every((each) => fields.some(({ name }) => name === each)),
    );
  };
  const scripted = new Map<string, ScriptedForm>();
  for (const input of inputs) {
    if (input.method !== 'POST' || input.contentType !== type || isOfForm(input)) continue;
    const form = asForm(input);
    const { tokens = [], headers: ownHeaders = [] } = input.page ?? {};
    scripted.set(formKey(shapeOfForm(form)), { form, tokens, ownHeaders });
  }
  const takesInput = createInputTest({ forms, inputs });
  for (const form of calls.flatMap((call) => asBareForm(call) ?? []).filter(takesInput)) {
    const key = formKey(shapeOfForm(form));
    const isKnown = scripted.has(key) || forms.some(({ action }) => action === form.action);
    if (!isKnown) scripted.set(key, { form, tokens: [] });
  }
  return [...scripted.values()];
}

/** What a script posts without a body works with what comes with each request. */
function asBareForm({
  method,
  url,
  body = '',
  contentType = type,
  pageUrl,
  control,
}: CallSurface): FormSurface | undefined {
  if (method !== 'POST' || body !== '' || !contentType.startsWith(type)) return undefined;
  const label = control === undefined ? {} : { label: control };
  return { pageUrl, action: url, method: 'POST', enctype: type, fields: [], ...label };
}

function asForm({ url, page, in: place, parameter, sample, others }: InputSurface): FormSurface {
  const fields = place === 'body' ? [...others, { name: parameter, value: sample }] : others;
  return {
    ...{ pageUrl: page?.url ?? url, action: url, method: 'POST', enctype: type },
    fields: fields.map((field) => ({ ...field, type: 'text' })),
  };
}

const urlencoded = (fields: readonly { name: string; value: string }[]): string =>
  new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();

/** Numbers and tokens are no free texts. */
const isFree = (value: string): boolean => isFreeText(value) && !/^\d+$|^(?=.*\d)(?=.*[a-z])\S{16,}$/i.test(value);

/** The request with a neutral value in each free text, and its own values elsewhere. */
export function neutralScripted(
  { form, tokens, ownHeaders = [] }: ScriptedForm,
  { word }: Neutral,
  sendsOwnValues = false,
): Submission | LeftAlone {
  const { action, pageUrl, fields } = form;
  const isFilled = fields.some(({ value }) => isFreeText(value));
  if (!isFilled && !sendsOwnValues) return 'no-free-field';
  const sent = fields.map(({ name, value }) => ({ name, value: isFree(value) ? word : value, type: 'hidden' }));
  const recorded = sent.map((field) =>
    isPageToken(field) && field.value !== word ? { ...field, value: '***' } : field,
  );
  return withTokens(tokens, {
    ...{
      ...keysOfForm(form),
      method: 'POST',
      url: action,
      body: urlencoded(sent),
      recordedBody: urlencoded(recorded),
      words: isFilled ? [word] : [],
      pageUrl,
    },
    headers: [['Content-Type', type], ['Origin', new URL(pageUrl).origin], ['Referer', pageUrl], ...ownHeaders],
    takesLongText: false,
  });
}
