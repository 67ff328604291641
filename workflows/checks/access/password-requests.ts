import type { Json } from '../../../kit/json.ts';
import type { CaptureRule, Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';
import { tokenRule } from '../accounts/account-login.ts';
import { mailOf } from '../accounts/registrations.ts';
import { encodeTemplate } from '../inputs/input-url.ts';

/** A request that sets a password and says of which account; `‹named›`, `‹identifier›` and `‹chosen›` are filled in by the experiment. */
export type PasswordRequest = {
  method: string;
  url: string;
  contentType: string;
  body: string;
  route: string;
  /** What says whose password it is. */
  parameter: string;
  parameterIn: 'path' | 'body';
  pageUrl: string;
  /** Where each account is shown the number or the code that names it. */
  identifier?: { url: string; subject: Subject; pattern: string };
  /** What the page of a form gives anew each time. */
  tokens: CaptureRule[];
};

/** An account that is known: its name, and what the page or data of its own shows. */
type KnownUser = { userName: string; answer: Exchange };

const setsPassword = /^(?:new[_-]?)?(?:user[_-]?)?(?:pass(?:word|wd|phrase)?|pwd?)\d?$/i;
const repeats =
  /^(?:c|re|conf|confirm(?:ed|ation)?|verify|repeat|retype)[_-]?(?:new[_-]?)?(?:pass(?:word|wd)?|pwd?)$|^(?:new[_-]?)?(?:pass(?:word|wd)?|pwd?)[_-]?(?:confirm(?:ation)?|repeat|again|2)$/i;
/** Whoever knows that may set the password. */
const secretNames = /old|cur(?:rent)?|previous|existing|actual|code|otp|pin$|token|answer/i;
/** What has names and passwords, too, and sets none of an account that there is. */
const otherPaths = /log-?in|sign-?in|log-?on|regist|sign-?up|join|sessions?$|token|o?auth|forgot|reset|recover/i;
const identifierName = /^(?:(?:user|account|member|customer|profile)[_-]?)?(?:id|uid|uuid|pk)$|^_id$/i;
const accountName = /^(?:user[_-]?name|user|login|account|nick(?:name)?|handle)$/i;
const mailName = /e-?mail/i;
const identifierValue = /^(?:\d{1,18}|[\da-f]{8}-[\da-f-]{27}|[\da-f]{24})$/i;

/** Requests of what a user is shown, and of what documents describe, that set a password of an account which they name. */
export const passwordRequests = (surfaces: readonly Surface[], user: KnownUser): PasswordRequest[] => {
  const inputs = surfaces.flatMap((surface) => [...surface.inputs, ...(surface.heldInputs ?? [])]);
  const sent = inputs.filter(
    ({ in: place, json, method }) => place === 'body' && json && /^(?:POST|PUT|PATCH)$/.test(method),
  );
  const ofDocuments = [...Map.groupBy(sent, ({ method, url }) => `${method} ${url}`).values()].flatMap((request) =>
    ofJson(request, user),
  );
  const forms = surfaces.flatMap((surface) => surface.forms.flatMap((form) => ofForm(form, user)));
  const safe = [...ofDocuments, ...forms].filter(({ url }) => !namesAnother(url, user));
  return [...new Map(safe.map((each) => [`${each.method} ${each.route}`, each])).values()];
};

/** What stays in the address as it was seen is an account that is there, whose password would be set. */
function namesAnother(url: string, { userName }: KnownUser): boolean {
  const { pathname, searchParams } = new URL(url);
  const names = [userName, encodeURIComponent(userName)];
  return [...pathname.split('/'), ...searchParams.values()].some(
    (part) => names.includes(part) || identifierValue.test(part),
  );
}

function ofJson(request: readonly InputSurface[], user: KnownUser): PasswordRequest[] {
  const [first] = request;
  const names = request.map(({ parameter }) => lastOf(parameter));
  if (!first?.json || !names.some((name) => setsPassword.test(name)) || names.some((name) => secretNames.test(name)))
    return [];
  const { pathname, origin, search } = new URL(first.url);
  if (otherPaths.test(partRoute(first.url))) return [];
  const own = identifierIn(user);
  const segment = namedSegment(first, user);
  const field = request.find(({ parameter }) => isNaming(lastOf(parameter)))?.parameter;
  const needsIdentifier = segment?.isIdentifier || (field !== undefined && identifierName.test(lastOf(field)));
  if ((segment === undefined && field === undefined) || (needsIdentifier && !own)) return [];
  const parts = pathname.split('/');
  if (segment) parts[segment.at] = segment.isIdentifier ? '‹identifier›' : '‹named›';
  return [
    {
      method: first.method,
      url: origin + parts.join('/') + search,
      contentType: 'application/json',
      body: JSON.stringify(filledJson(parseJson(first.json.body))),
      route: first.route,
      parameter: segment ? String(segment.at) : (field ?? ''),
      parameterIn: segment ? 'path' : 'body',
      pageUrl: first.page?.url ?? first.url,
      ...(own && { identifier: own }),
      tokens: [],
    },
  ];
}

const lastOf = (parameter: string): string => parameter.replace(/^.*\./s, '');

const isNaming = (name: string): boolean => identifierName.test(name) || accountName.test(name) || mailName.test(name);

/** The one part of the path that is the name of the user, or that differs from account to account. */
function namedSegment(
  { url, route }: InputSurface,
  { userName }: KnownUser,
): { at: number; isIdentifier: boolean } | undefined {
  const [parts, routeParts] = [new URL(url).pathname.split('/'), route.split('/')];
  const named = parts.flatMap((part, at) => {
    const isVariable = parts.length === routeParts.length && /^\{.*\}$/.test(routeParts[at] ?? '');
    return part === userName || isVariable ? [{ at, isIdentifier: identifierValue.test(part) }] : [];
  });
  return named.length === 1 ? named[0] : undefined;
}

/** Where the answer has the identifier of the account that it is given to: beside its name, since other things have numbers as well. */
function identifierIn({ userName, answer: { text, request } }: KnownUser): PasswordRequest['identifier'] {
  const levels: { value: unknown; pointer: string }[] = [{ value: parseJson(text), pointer: '' }];
  for (const { value, pointer } of levels) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || pointer.split('/').length > 3) continue;
    const members = Object.entries(value);
    const isAccount = members.some(([, each]) => each === userName);
    const [name] = members.find((each) => isAccount && isIdentifier(each)) ?? [];
    if (name !== undefined)
      return { url: request.url, subject: `body:json:${pointer}/${name}`, pattern: '^"?([^"]+)"?$' };
    levels.push(...members.map(([each, inside]) => ({ value: inside, pointer: `${pointer}/${each}` })));
  }
  return undefined;
}

const isIdentifier = ([name, value]: [string, unknown]): boolean =>
  identifierName.test(name) && identifierValue.test(String(value));

function filledJson(value: Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(filledJson);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, valueFor(name) ?? filledJson(each as Json)]),
  );
}

function valueFor(name: string): string | undefined {
  if (setsPassword.test(name) || repeats.test(name)) return '‹chosen›';
  if (mailName.test(name)) return mailOf('‹named›');
  if (identifierName.test(name)) return '‹identifier›';
  return accountName.test(name) ? '‹named›' : undefined;
}

/** A form with a hidden field that names the account of whoever is shown it. */
function ofForm(form: FormSurface, { userName }: KnownUser): PasswordRequest[] {
  const { method, action, pageUrl, enctype, fields } = form;
  const sent = sentFields(fields);
  const passwords = sent.filter(({ type }) => type === 'password');
  const [naming, ...others] = sent.filter(
    (field) =>
      field.type === 'hidden' &&
      !isPageToken(field) &&
      ((/(?:^|[_-])(?:id|uid|uuid|pk)$/i.test(field.name) && identifierValue.test(field.value)) ||
        field.value === userName),
  );
  const isOfAccount = naming && (naming.value === userName || identifierName.test(naming.name));
  const isPlain =
    method === 'POST' && enctype !== 'multipart/form-data' && new URL(action).origin === new URL(pageUrl).origin;
  const asksForSecret = sent.some(({ name, type }) => type !== 'hidden' && secretNames.test(name));
  // Which of several says whose password it is cannot be known.
  if (
    !isOfAccount ||
    others.length > 0 ||
    !isPlain ||
    passwords.length === 0 ||
    asksForSecret ||
    otherPaths.test(partRoute(action))
  )
    return [];
  const tokens = sent.filter(isPageToken).map(({ name }, index) => tokenRule(action, name, `formtoken${index + 1}`));
  const given = new Map(sent.filter(isPageToken).map(({ name }, index) => [name, `‹formtoken${index + 1}›`]));
  const filled = ({ name, type, value, isRequired }: FormSurface['fields'][number]): string => {
    if (type === 'password') return '‹chosen›';
    if (value === userName) return '‹named›';
    if (name === naming.name) return '‹identifier›';
    return given.get(name) ?? (mailName.test(name) ? mailOf('‹named›') : value === '' && isRequired ? 'a' : value);
  };
  const isByName = naming.value === userName;
  return [
    {
      ...{
        method,
        url: action,
        route: new URL(action).pathname,
        parameter: naming.name,
        parameterIn: 'body',
        pageUrl,
        tokens,
      },
      contentType: 'application/x-www-form-urlencoded',
      body: sent.map((field) => `${encodeURIComponent(field.name)}=${encodeTemplate(filled(field))}`).join('&'),
      ...(!isByName && {
        identifier: { url: pageUrl, subject: `body:form:${pathOf(action)} ${naming.name}`, pattern: '(?m)^(.+)$' },
      }),
    },
  ];
}
