import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { AskedFields, InputSurface } from '../../model/surface.ts';
import { isTyped } from '../../model/typed-text.ts';
import { secretNames } from '../../probe/gate/words/fields.ts';
import { namedPath, partRoute, procedureOf } from '../../probe/program-parts.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { jsonWith } from '../inputs/json-inputs.ts';
import { calledBeside, lastPart } from './asked-fields.ts';

/** A request that opens an account, by one of its inputs: the one for the name. */
export type Registration = OpenedInput;

/** A member or field that is sent along, although nothing asks for it. */
export type ExtraField = { field: string; value: string | number | boolean };

const addressWords =
  /regist|sign[-_]?up|join|enrol|subscri|become|onboard|get[-_]?started|\/apply\/?$|(?:create|new|add)[-_/]?(?:account|user|member|customer)|(?:account|user|member|customer)s?[-_/]?(?:create|new|add)?\/?$/i;
/** What has a name and a password, too, and opens no account. */
const otherWords =
  /log-?in|sign-?in|session|auth|token|reset|forgot|recover|change|update|edit|verify|invite|admin|install|set-?up/i;
/** Folders that have a registration beside the login. */
const loginFolder = /\/(?:o?auth|authentication|sessions?|identity|log-?in|sign-?in)(?=\/)/gi;
const passwordName =
  /^(?:.*[._-])?(?:pass(?:word|wd|phrase)?|pwd?)\d?(?:[_-]?(?:confirm(?:ation)?|repeat|again))?$|confirm.*pass|pass.*confirm|repeat.*pass/i;
/** What repeats the password beside it, by a name that does not say so. */
const repeatName =
  /^(?:c|re|v|conf|confirm(?:ation)?|verify|verification|repeat|retype|again)(?:[_-]?(?:pass(?:word|wd)?|pwd?))?\d?$/i;
const userName = /^(?:.*[._-])?(?:user[_-]?name|login|user|nick(?:name)?|name|handle)$/i;
const mailName = /e-?mail/i;

/**
 * Requests of a surface by which somebody opens an account; each once.
 * @param kinds with `any` also those that ask for no password, behind the others: the site makes one, or asks for it on the next page
 */
export function registrationsIn(
  inputs: readonly InputSurface[],
  kinds: 'with-password' | 'any' = 'with-password',
): Registration[] {
  const posted = inputs.filter(({ method, in: place }) => method === 'POST' && place === 'body');
  const parts = Map.groupBy(posted, (input) => `${requestOf(input)} ${input.page?.url ?? ''}`).values();
  const requests = [...parts].map((part) => [...part, ...describedBeside(part, posted)]);
  const found = requests.flatMap((request) => {
    const [first] = request;
    if (!first || !isRegistration(first, request, kinds)) return [];
    const name =
      request.find((input) => userName.test(input.parameter)) ??
      request.find((input) => askedFor(input) === 'name') ??
      request.find((input) => askedFor(input) === 'mail');
    return name ? [name] : [];
  });
  const all = [...new Map(found.map((each) => [`${partRoute(each.url)} ${procedureOf(each.route)}`, each])).values()];
  const asksNoPassword = (each: InputSurface) =>
    !inputs.some((input) => input.url === each.url && input.route === each.route && askedFor(input) === 'password');
  return all.toSorted((a, b) => Number(asksNoPassword(a)) - Number(asksNoPassword(b)));
}

const requestOf = ({ url, route }: InputSurface): string => `${url} ${procedureOf(route)}`;

/** Where a page uses what a document describes, some inputs of one request are known from the one and others from the other. */
function describedBeside(part: readonly InputSurface[], posted: readonly InputSurface[]): InputSurface[] {
  const [first] = part;
  if (!first?.page) return [];
  const has = ({ parameter }: InputSurface) => part.some((each) => each.parameter === parameter);
  return posted.filter((each) => !each.page && requestOf(each) === requestOf(first) && !has(each));
}

function isRegistration(
  { url, route, title = '' }: InputSurface,
  request: readonly InputSurface[],
  meant: 'with-password' | 'any',
): boolean {
  const kinds = request.map(askedFor);
  const pathname = [namedPath(url), procedureOf(route)].filter((name) => name !== '').join('/');
  // Names that frameworks make of a route repeat it: "register_auth_register_post".
  const reported = `${pathname} ${title.replace(pathname.replace(/\W+/g, '_'), ' ')}`;
  const repeats =
    kinds.filter((kind) => kind === 'password').length === 2 && (kinds.includes('mail') || kinds.includes('name'));
  const isTitled = /regist|sign-?up/i.test(title);
  const isKnown = kinds.includes('password')
    ? addressWords.test(pathname) || isTitled || repeats
    : meant === 'any' && isTitled && kinds.includes('mail');
  return isKnown && !otherWords.test(reported.replace(/regist\w*/gi, '').replace(loginFolder, ''));
}

/** Names and password of an account that nobody has; `‹…›` are values of the trial. */
export type RegisteredAccount = {
  name: string;
  mail: string;
  password: string;
  /** What other free texts of its registration say: no other account has it, so that what shows it is about this one. */
  text?: string;
};

/** The mail address that an account of the audit is given. Mail to the domain goes nowhere: RFC 2606 §3, RFC 7505. */
export const mailOf = (name: string): string => `${name}@example.com`;

/** A new account by the name of one nonce of the trial. */
export const accountBy = (nonce: string): RegisteredAccount => ({
  name: `‹${nonce}›`,
  mail: mailOf(`‹${nonce}›`),
  // Many sites refuse a password that has the name in it.
  password: `Aa1-‹${nonce}0›`,
});

/** The request that opens this account, with what is sent along. */
export function registrationRequest(
  registration: Registration,
  account: RegisteredAccount,
  extras: readonly ExtraField[] = [],
): HttpAction {
  const { json, others, parameter, asked } = registration;
  const own = valueFor(parameter, account, asked) ?? account.name;
  if (json) {
    const body = withExtras(filledJson(json.body, account, asked), extras);
    return inputAction({ ...registration, json: { ...json, body } }, own);
  }
  const password = others.find(({ name }) => accountField(name, asked) === 'password')?.name ?? '';
  const along = extras.map(({ field, value }) => ({ name: calledBeside(password, field), value: String(value) }));
  const filled = others
    .filter(({ name }) => !along.some((extra) => extra.name === name))
    .map(({ name, value }) => ({ name, value: valueFor(name, account, asked) ?? value }));
  return inputAction({ ...registration, others: [...filled, ...along] }, own);
}

/** One of its inputs, with what the account has in all others that ask for it. */
export const withAccount = <I extends InputSurface>(input: I, account: RegisteredAccount): I => ({
  ...input,
  others: input.others.map(({ name, value }) => ({ name, value: valueFor(name, account, input.asked) ?? value })),
});

/** Whether a field asks for a mail address, by its name. */
export const asksForMail = (name: string): boolean => mailName.test(name);

/** Whether a field asks for the name, the mail address or the password of an account. */
export const isOfAccount = (name: string): boolean => valueFor(name, accountBy('nonce')) !== undefined;

const askedFor = ({ parameter, asked }: InputSurface) => accountField(parameter, asked);

/** What a field asks a new user for: by its name, or else by what the page shows of it. */
export function accountField(name: string, asked: AskedFields = {}): AskedFields[string] | undefined {
  const last = lastPart(name);
  if (passwordName.test(last) || repeatName.test(last) || secretNames.test(last)) return 'password';
  if (mailName.test(last)) return 'mail';
  return userName.test(last) ? 'name' : asked[last];
}

/** "surname", "first_name": beside what a user wrote, members may be shown who it is. */
const personName =
  /^(?:.*[._-])?(?:(?:first|last|given|family|full|display|real|middle|screen|maiden)?[-_]?name|first|last|fore-?name|sur-?name|name[-_]?(?:first|last)|nom|prenom|vorname|nachname|nombre|apellidos?|nome|cognome|sobrenome)$/i;

/** Whether a free text of a registration is something else than what its user is called by. */
export const isBeyondName = (name: string): boolean =>
  accountField(name) === undefined && !personName.test(lastPart(name));

function valueFor(name: string, account: RegisteredAccount, asked?: AskedFields): string | undefined {
  const kind = accountField(name, asked);
  return kind && account[kind];
}

/** The members of an account wherever they stand in a body. */
function filledJson(body: string, account: RegisteredAccount, asked?: AskedFields): string {
  const names: string[] = [];
  const pointers: { pointer: string; value: string }[] = [];
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      names.push(name);
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const text = typeof each === 'string' && isTyped(each) && isBeyondName(name) ? account.text : undefined;
      const own = typeof each === 'string' ? (valueFor(name, account, asked) ?? text) : undefined;
      if (own !== undefined) pointers.push({ pointer: at, value: own });
      else visit(each, at);
    }
  };
  visit(parseJson(body), '');
  return pointers.reduce((text, { pointer, value }) => jsonWith({ body: text, pointer }, value), body);
}

/** Beside the members of the account: on the level that has the password. */
function withExtras(body: string, extras: readonly ExtraField[]): string {
  const root = parseJson(body);
  if (extras.length === 0 || typeof root !== 'object' || root === null) return body;
  const levels: unknown[] = [root];
  for (const level of levels) {
    if (typeof level !== 'object' || level === null) continue;
    if (Object.keys(level).some((name) => passwordName.test(name))) {
      for (const { field, value } of extras) Reflect.set(level, field, value);
      return JSON.stringify(root);
    }
    levels.push(...Object.values(level));
  }
  return body;
}
