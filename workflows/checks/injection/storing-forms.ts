import { isGuest } from '../../model/gained-name.ts';
import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { formKey } from '../../probe/gate/form-key.ts';
import { kindOfForm, takesUpload } from '../../probe/gate/structure.ts';
import { fittingText } from '../../probe/html/fitting-text.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { fillerFor, formInputs, isPageToken } from '../../survey/form-inputs.ts';
import { type ProfileForm, profileForms } from '../accounts/profile-forms.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest, widened } from '../inputs/at-most.ts';
import { documentWithValue } from '../inputs/json-inputs.ts';
import { isFromCache } from '../pages/shared-cache.ts';
import { isOthersEntry } from '../sessions/others-entries.ts';
import { formUndo, formVerify, isNamedIn } from '../sessions/own-forms.ts';
import { byRole } from '../sessions/roles.ts';
import { fileNames } from './file-names.ts';
import { registeringForms } from './registering-forms.ts';
import { replacingForms } from './replacing-requests.ts';
import type { StoringForm } from './storing-form.ts';

/** The same input for a second time in one trial: what has to be the only one of its kind would be refused. */
export const withOtherFillers = <I extends InputSurface>(input: I): I => ({
  ...input,
  ...(input.json && { json: { ...input.json, body: input.json.body.replaceAll(filler, '‹nonce4›') } }),
  others: input.others.map(({ name, value }) => ({ name, value: value.replaceAll(filler, '‹nonce4›') })),
});

/** Profiles of one identity that are changed and put back. */
const maxProfiles = 2;
const maxForms = 60;
/** A word and the pages that may show it; what a page shows takes more, and few do. */
const requestsEach = 4;
const freeTypes = /^(?:text|search|textarea|url|email|tel)$/;
/** Another word each time: names, codes and titles are often the only ones of their kind. Plausible where the site demands a name. */
const filler = '‹nonce3›';

/**
 * Forms that store, as far as the domain's scope allows: those of an account that can be put back, and where it says "create" all that
 * the write gate lets pass. Each as the first visitor who is shown it, and as the next ones where those before are turned away;
 * administrators send none.
 */
export async function storingForms(context: CheckContext): Promise<StoringForm[]> {
  const users = byRole(context).users;
  const undoable: StoringForm[] = [];
  for (const user of users)
    for (const form of await profileForms(context, user, maxProfiles, { mayBeEmpty: true }))
      undoable.push(ofProfile(form, user.name));
  if (context.writes !== 'create') return undoable;
  undoable.push(...(await replacingForms(context, users)));
  const latest = new Map<string, StoringForm>();
  const areUndone = new Set(
    undoable.flatMap(({ inputs }) => inputs.flatMap(({ method, url }) => (method === 'POST' ? [url] : []))),
  );
  const lasting: StoringForm[] = [];
  // Whoever has taken the steps before is shown what became of the next one, and others merely came by it.
  const [guests, others] = [users.filter(({ name }) => isGuest(name)), users.filter(({ name }) => !isGuest(name))];
  for (const [identity, surface] of [
    ...guests.map((user) => surfaceOf(context, user)),
    ['', context.surface] as const,
    ...others.map((user) => surfaceOf(context, user)),
  ])
    for (const form of allOf(surface, identity)) {
      const place = form.inputs.map(({ method, route, parameter }) => `${method} ${route} ${parameter}`).join(' ');
      const instead = latest.get(place);
      const isUndone = form.inputs.some(({ method, url }) => method === 'POST' && areUndone.has(url));
      if (isUndone || instead?.identity === identity) continue;
      const own = instead ? { ...form, instead } : form;
      latest.set(place, own);
      lasting.push(own);
    }
  lasting.push(...registeringForms(context.surface, (form) => ofForm(form, '')));
  const first = lasting.filter(({ instead }) => !instead);
  const chosen = new Set(likeliest(context, first, widened(context, maxForms, requestsEach), 'forms that may store'));
  return [
    ...undoable,
    ...chosen,
    ...lasting.filter(({ instead }) => instead && chosen.has(firstOf(instead))),
    ...(await loggedHeaders(context)),
  ];
}

const firstOf = (form: StoringForm): StoringForm => (form.instead ? firstOf(form.instead) : form);

/**
 * Headers of a visit that logs and statistics keep, on the page that everybody begins with; none where a cache keeps that page, since
 * others would be given what the headers make of it.
 */
async function loggedHeaders({ http, surface: { url } }: CheckContext): Promise<StoringForm[]> {
  const answers = [await http.get(url, { fresh: true }), await http.get(url, { fresh: true })];
  if (
    answers.some(
      (answer) => isFromCache(answer) || /\b(?:public|s-maxage)\b/i.test(answer.header('cache-control') ?? ''),
    )
  )
    return [];
  return ['User-Agent', 'Referer', 'X-Forwarded-For'].map((parameter) =>
    ofRequest([{ method: 'GET', url, route: partRoute(url), parameter, in: 'header', sample: '', others: [] }], ''),
  );
}

const surfaceOf = ({ surfaces, surface }: CheckContext, { name }: { name: string }) =>
  [name, surfaces[name] ?? surface] as const;

function ofProfile(form: ProfileForm, identity: string): StoringForm {
  const { pageUrl, action, fields, hidden, tokens, empty } = form;
  const values = [...fields, ...hidden.filter(({ name }) => !tokens.includes(name))];
  const entries = [...values, ...tokens.map((name) => ({ name, value: '', type: 'hidden' }))];
  const texts = fields.filter(
    ({ name, type, value }) =>
      /^(?:text|textarea)$/.test(type) &&
      (value.trim() !== '' || empty.includes(name)) &&
      !/mail/i.test(name) &&
      !isNamedIn(pageUrl, value),
  );
  return {
    identity,
    pageUrl,
    addresses: {},
    plan: { undo: formUndo(form), verify: formVerify(form) },
    inputs: texts.map(({ name, value }) => ({
      ...{ method: 'POST', url: action, route: new URL(action).pathname, parameter: name, in: 'body', sample: value },
      others: entries.filter((entry) => entry.name !== name).map((entry) => ({ name: entry.name, value: entry.value })),
      contentType: 'application/x-www-form-urlencoded',
      page: { url: pageUrl, tokens: tokens.map((field) => ({ field })) },
    })),
  };
}

function allOf(surface: Surface, identity: string): StoringForm[] {
  const forms = surface.forms.filter(
    (form) => (mayStore(form) || wasSeenToStore(form, surface)) && !isOthersEntry(form, surface),
  );
  const requests = [...Map.groupBy(surface.inputs.filter(isOfScript(surface)), bodyOf).values()].map((inputs) =>
    ofRequest(inputs, identity),
  );
  const links = surface.inputs.filter(
    (input) => input.method === 'GET' && input.in === 'query' && !isOfReadingForm(input, surface),
  );
  const uploads = surface.forms.filter(takesFile).map((form) => ofUpload(form, identity));
  return [
    ...forms.flatMap((form) => [ofForm(form, identity), ofForm(form, identity, isChosen)]),
    ...uploads,
    ...requests,
    ...links.map((input) => ofRequest([input], identity)),
  ].filter(({ inputs }) => inputs.length > 0);
}

/** A form that nobody's session sends, where it may store a text. */
export function storingForm(form: FormSurface): StoringForm | undefined {
  const storing = mayStore(form) ? ofForm(form, '') : undefined;
  return storing && storing.inputs.length > 0 ? storing : undefined;
}

function mayStore(form: FormSurface): boolean {
  const { kind } = kindOfForm(form);
  return (
    form.method === 'POST' && ['keeps', 'adds', 'unknown', 'message', 'addressed'].includes(kind) && !takesUpload(form)
  );
}

/** What looks something up by its words, and was seen to keep what it was sent. */
const wasSeenToStore = ({ method, action, fields }: FormSurface, { inputs }: Surface): boolean =>
  method === 'POST' &&
  inputs.some(
    ({ method: own, url, parameter, isStored }) =>
      isStored === true && own === 'POST' && url === action && fields.some(({ name }) => name === parameter),
  );

const takesFile = (form: FormSurface): boolean => form.method === 'POST' && takesUpload(form);

/** What searches shows its value at once: other checks look there. */
const isOfReadingForm = ({ url, parameter }: InputSurface, { forms }: Surface): boolean =>
  forms.some(
    (form) =>
      form.method === 'GET' &&
      withoutQuery(form.action) === withoutQuery(url) &&
      form.fields.some(({ name }) => name === parameter) &&
      kindOfForm(form).kind === 'reads',
  );

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const isOfScript =
  ({ forms }: Surface) =>
  (input: InputSurface): boolean =>
    input.method === 'POST' &&
    input.in === 'body' &&
    !/^-?\d+(?:\.\d+)?$/.test(input.sample) &&
    !forms.some(
      ({ method, action, fields }) =>
        method === 'POST' && action === input.url && fields.some(({ name }) => name === input.parameter),
    );

const bodyOf = ({ url, json, others, parameter }: InputSurface): string =>
  `${url} ${json?.body ?? formKey({ method: '', route: '', fields: [parameter, ...others.map(({ name }) => name)] })}`;

type StoredField = FormSurface['fields'][number];

function ofForm(
  form: FormSurface,
  identity: string,
  isTried = ({ type }: StoredField): boolean => freeTypes.test(type),
): StoringForm {
  const fields = new Map(form.fields.map((field) => [field.name, field]));
  const isEmpty = new Set(form.fields.filter(({ value }) => value === '').map(({ name }) => name));
  const tried = new Set(form.fields.filter(isTried).map(({ name }) => name));
  const valued = (name: string, value: string): string => {
    const field = fields.get(name);
    if (!field || !isEmpty.has(name) || !freeTypes.test(field.type)) return value;
    const { type, pattern } = field;
    return /^(?:email|url|tel)$/.test(type)
      ? fillerFor(field)
      : fittingText({ type, ...(pattern && { pattern }) }, filler);
  };
  const inputs = formInputs(form)
    .filter(({ parameter }) => tried.has(parameter))
    .map((input) => ({
      ...input,
      others: input.others.map(({ name, value }) => ({ name, value: valued(name, value) })),
    }));
  const addresses = form.fields.flatMap(({ name, type, value }) =>
    type === 'email' || type === 'url' ? [[name, type]] : /^https?:\/\//i.test(value) ? [[name, 'url']] : [],
  );
  return { identity, pageUrl: form.pageUrl, inputs, addresses: Object.fromEntries(addresses) };
}

/** What a page offers to choose from, or has in a hidden field, is sent apart: more servers refuse another value of it. */
const isChosen = ({ name, type, value }: StoredField): boolean =>
  /^(?:select|radio|hidden)$/.test(type) && !isPageToken({ name, type, value }) && !/^\d*$/.test(value);

/** Texts beside a file, and the name of the file, which comes from the visitor as they do. */
const ofUpload = (form: FormSurface, identity: string): StoringForm => ({
  identity,
  pageUrl: form.pageUrl,
  inputs: fileNames(form, freeTypes),
  addresses: {},
});

const ofRequest = (inputs: InputSurface[], identity: string): StoringForm => ({
  identity,
  pageUrl: inputs[0]?.page?.url ?? inputs[0]?.url ?? '',
  inputs: inputs.map((input) => withFillers(input, inputs)),
  addresses: {},
});

/** The word that the browser's visit has typed is short, and the same each time: some servers refuse it where they take another. */
function withFillers(input: InputSurface, all: readonly InputSurface[]): InputSurface {
  const isTyped = ({ sample }: InputSurface) => /^test+$/.test(sample);
  const names = new Set(all.filter(isTyped).map(({ parameter }) => parameter));
  const others = input.others.map((other) => (names.has(other.name) ? { ...other, value: filler } : other));
  if (!input.json) return { ...input, others };
  const body = all.filter(isTyped).reduce((text, each) => documentWithValue(each, filler, text), input.json.body);
  return { ...input, others, json: { ...input.json, body } };
}
