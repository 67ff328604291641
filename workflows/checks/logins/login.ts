import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { isTypedPassword } from '../../model/typed-text.ts';
import { kindOfForm } from '../../probe/gate/structure.ts';
import { grantNames, secretNames } from '../../probe/gate/words/fields.ts';
import { calledProcedure, procedureOf } from '../../probe/program-parts.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { encodeTemplate } from '../inputs/input-url.ts';

/** A place that lets somebody in: by a form, or by JSON. */
export type Login = {
  /** Its request, with the user name as what is put in. */
  input: OpenedInput;
  /** Undefined where a secret alone opens something. */
  nameField: string | undefined;
  passwordField: string;
  format: 'fields' | 'query' | 'json';
  /** The name is a mail address. */
  isMail: boolean;
  /** A name that somebody is likely to have: the one that the form is filled in with, or "admin". */
  likelyName: string;
};

/** Where a login is, and whether its users are called by their mail addresses. */
export type LoginAddress = { input: Pick<OpenedInput, 'url' | 'page'>; isMail: boolean };

/** What is sent in a field. Templates hold references to trial values. */
export type Credential =
  | string
  /** A list with this one value. */
  | { list: string }
  /** A member of an object with this value, or with a list of it. */
  | { member: string; value: string; isList?: true }
  /** Any value of JSON; of a form only what `list` and `member` can say. */
  | { json: unknown };

type LoginField = FormSurface['fields'][number];

/** @param kinds what may let somebody in is tried where nothing is made when it does not */
export function loginsOf(surface: Pick<Surface, 'forms' | 'inputs'>, kinds = loginOnly): Login[] {
  const logins = surface.inputs.flatMap((input) => loginOf(input, surface.forms, kinds) ?? []);
  const places = new Map(logins.map((login) => [placeOf(login), login]));
  return [...places.values()];
}

type EntranceKind = 'login' | 'entrance';
const loginOnly: readonly EntranceKind[] = ['login'];
/** With those that say nothing of what they do. */
export const anyEntrance: readonly EntranceKind[] = ['login', 'entrance'];

/** A page calls its operation `Login` where the mutation that a schema describes is called `login`. */
const placeOf = ({ input: { method, url, route } }: Login): string =>
  [method, url, procedureOf(route).toLowerCase()].join(' ');

/** Whether an input is sent with a password that lets somebody in. */
export const isOfLogin = (input: InputSurface, forms: readonly FormSurface[]): boolean =>
  fieldsOf(input, forms) !== undefined;

function loginOf(
  input: InputSurface,
  forms: readonly FormSurface[],
  kinds: readonly EntranceKind[],
): Login | undefined {
  const fields = fieldsOf(input, forms, kinds);
  const secret = fields?.find(({ type }) => type === 'password') ?? fields?.find(({ name }) => openSecret.test(name));
  const name = fields?.find((field) => field !== secret && isName(field));
  // What is typed in without a name is a secret, whatever its type.
  const password = secret ?? (fields?.filter(isName).length === 1 ? name : undefined);
  const own = input.json?.pointer.split('/').at(-1) ?? input.parameter;
  if (!password || own !== (secret && name ? name : password).name) return undefined;
  if (input.contentType?.startsWith('multipart/')) return undefined;
  const format = input.in === 'query' ? 'query' : input.json ? 'json' : 'fields';
  return {
    ...{ input, nameField: secret && name?.name, passwordField: password.name, format },
    isMail: secret !== undefined && name !== undefined && (name.type === 'email' || /mail/i.test(name.name)),
    likelyName: (secret && name && filledIn.exec(name.value)?.[0]) ?? 'admin',
  };
}

/** Is shown as it is typed. */
const openSecret = /^(?:pin(?:[-_]?code)?|pass[-_]?code)$/i;

/** What a form is filled in with is written into conditions between quotes. */
const filledIn = /^[\w.@+-]{2,40}$/;

const isName = ({ type }: LoginField): boolean => type === 'text' || type === 'email' || type === 'tel';

/** The fields of the request that an input belongs to, when that is a login. */
function fieldsOf(
  input: InputSurface,
  forms: readonly FormSurface[],
  kinds: readonly EntranceKind[] = loginOnly,
): LoginField[] | undefined {
  const isMeant = (form: Parameters<typeof kindOfForm>[0]) => kinds.some((kind) => kindOfForm(form).kind === kind);
  const { method, url, json } = input;
  if (input.in !== 'body' && input.in !== 'query') return undefined;
  const place = url.replace(/[?#].*$/s, '');
  const form = forms.find(
    (each) =>
      each.method === method &&
      (each.action === url || (method === 'GET' && each.action.replace(/[?#].*$/s, '') === place)) &&
      each.fields.some(({ name }) => name === input.parameter) &&
      isMeant(each),
  );
  if (form) return form.takesAnybody ? undefined : form.fields;
  const names = json ? namesInJson(json) : [...new Set([input.parameter, ...input.others.map(({ name }) => name)])];
  const drawn = names && drawnForm(names, method, forms);
  if (drawn) return kindOfForm({ ...drawn, action: url, method: 'POST' }).kind === 'login' ? drawn.fields : undefined;
  const typed = json ? typedPasswordsIn(json) : [];
  const secrets = names?.filter((name) => secretNames.test(name) || typed.includes(name)).length ?? 0;
  // A link that carries a password alone may be one that resets it.
  if (!names || secrets === 0 || (method !== 'POST' && !(method === 'GET' && secrets === 1 && names.length > 1)))
    return undefined;
  const fields = names.map((name) => ({ name, type: typed.includes(name) ? 'password' : typeOf(name), value: '' }));
  return isMeant({ action: url, method, fields, label: procedureOf(input.route) }) ? fields : undefined;
}

/** The form of a page whose two fields script sends elsewhere, by their names: what is typed in as a password is one. */
function drawnForm(names: readonly string[], method: string, forms: readonly FormSurface[]): FormSurface | undefined {
  if (method !== 'POST' || names.some((name) => secretNames.test(name))) return undefined;
  return forms.find(
    ({ method: own, fields }) =>
      own === 'GET' &&
      fields.length === names.length &&
      fields.every(({ name }) => names.includes(name)) &&
      fields.some(({ type }) => type === 'password'),
  );
}

function typeOf(name: string): string {
  if (grantNames.test(name)) return 'hidden';
  return secretNames.test(name) ? 'password' : 'text';
}

/** The members beside a value, but for one that names a procedure: a login has its two at the top of a body or below one name. */
function namesInJson({ body, pointer }: { body: string; pointer: string }): string[] | undefined {
  const around = memberAround(parseJson(body), pointer);
  return around && Object.keys(around).filter((name) => name !== calledProcedure(around)?.name);
}

/** What a page calls what was typed into its field for a password. */
const typedPasswordsIn = ({ body, pointer }: { body: string; pointer: string }): string[] =>
  Object.entries(memberAround(parseJson(body), pointer) ?? {}).flatMap(([name, value]) =>
    isTypedPassword(value) ? [name] : [],
  );

/** @returns the object that a value stands in; undefined for lists and below two names */
function memberAround(root: unknown, pointer: string): Record<string, unknown> | undefined {
  const [, ...names] = pointer.split('/');
  const around = names.length === 2 ? (Object(root) as Record<string, unknown>)[names[0] ?? ''] : root;
  const isOne = names.length <= 2 && typeof around === 'object' && around !== null && !Array.isArray(around);
  return isOne ? (around as Record<string, unknown>) : undefined;
}

/** Name and password of nobody. */
export const nobody = ({ isMail }: Login) => ({
  name: isMail ? '‹nonce›@‹nonce›.example' : '‹nonce›',
  password: '‹nonce2›',
});

/** The request that sends these credentials; undefined when it cannot hold them. */
export function loginAction(login: Login, name: Credential, password: Credential): HttpAction | undefined {
  const { input, nameField, passwordField, format } = login;
  const invented = (nameField === undefined ? [password] : [name, password]).filter(
    (value) => typeof value === 'string' && value !== '',
  ) as string[];
  const action = { ...inputAction(input, ''), invented };
  if (format === 'json') {
    const root = Object(parseJson(input.json?.body ?? '{}')) as Record<string, unknown>;
    const named = nameField === undefined ? {} : { [nameField]: jsonOf(name) };
    Object.assign(memberAround(root, input.json?.pointer ?? '') ?? root, named, { [passwordField]: jsonOf(password) });
    return { ...action, body: JSON.stringify(root) };
  }
  const named = nameField === undefined ? [] : [pairOf(nameField, name)];
  const own = [...named, pairOf(passwordField, password)];
  if (own.includes(undefined)) return undefined;
  const others = input.others.filter((other) => other.name !== '' && ![nameField, passwordField].includes(other.name));
  const pairs = others.map(
    (other) => [other.name, input.opening?.fields[other.name] ?? valueOfOther(input, other)] as const,
  );
  const text = [...pairs, ...own.filter((pair) => pair !== undefined)]
    .map(([field, value]) => `${encodeURIComponent(field)}=${encodedField(value)}`)
    .join('&');
  return format === 'query'
    ? { url: `${input.url.replace(/[?#].*$/s, '')}?${text}`, invented }
    : { ...action, body: text };
}

/**
 * A name and a password are one kind of grant. Of a client that only a document describes nothing is known; what the site itself sends
 * is its client, without which each try would be refused, and none counted.
 */
function valueOfOther({ isDescribed }: InputSurface, { name, value }: { name: string; value: string }): string {
  if (!grantNames.test(name)) return value;
  return name === 'grant_type' ? 'password' : isDescribed ? '' : value;
}

const encodedField = (value: string): string => encodeTemplate(value).replace(/‹(token\d+|leaked)›/g, '‹encode:$1›');

function pairOf(field: string, value: Credential): readonly [string, string] | undefined {
  if (typeof value === 'string') return [field, value];
  if ('list' in value) return [`${field}[]`, value.list];
  return 'member' in value ? [`${field}[${value.member}]${value.isList ? '[]' : ''}`, value.value] : undefined;
}

function jsonOf(value: Credential): unknown {
  if (typeof value === 'string') return value;
  if ('list' in value) return [value.list];
  if (!('member' in value)) return value.json;
  return { [value.member]: value.isList ? [value.value] : value.value };
}
