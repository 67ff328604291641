import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { type Assertion, type CaptureRule, claim, type Step, type WritePlan } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { type FormEntry, pathOf, sentForms } from '../../probe/html/submission.ts';
import { looksSecret } from '../../proof/redact.ts';
import type { CheckContext } from '../contract.ts';

/** A form that shows what it changes, as its page has it now: so that a change can be seen, and put back. */
export type OwnForm = {
  pageUrl: string;
  action: string;
  method: FormSurface['method'];
  /** What people type, tick and choose, with the values that are there now. */
  fields: FormEntry[];
  /** Hidden fields that each site can fill in, with the values that are there now. */
  hidden: FormEntry[];
  /** Names of all hidden fields. Its own page fills them in anew each time: secrets of the session, numbers of versions. */
  tokens: string[];
};

/** A hidden value of this length is a secret of the page; another site cannot know it. */
const minTokenLength = 12;
const tokenName = /csrf|xsrf|token|nonce|authenticity|verification/i;
/** Of a button that does something else than keep what was typed. */
const consequentialButton = /delete|remove|cancel|reset|close|deactivate|log-?out|send|pay/i;
/** A form that is larger is not the one of a profile, and its record would be large, too. */
const maxFields = 50;
const maxCharacters = 8_000;

/**
 * Reads a form twice in a session: what differs is made anew each time, and has to be hidden.
 * @param mayHavePasswords whether it may take a new password, which is left empty
 * @returns undefined when the form is not there, or does not show what it would be put back to, or has a secret in it, which is never kept
 * @throws ProbeError
 */
export async function readOwnForm(
  { http, leave }: CheckContext,
  { jar, headers }: Identity,
  { pageUrl, action, method, fields: seen }: FormSurface,
  mayHavePasswords = false,
): Promise<OwnForm | undefined> {
  const read = async (): Promise<FormEntry[] | undefined> => {
    const { status, text } = await http.get(pageUrl, { jar, headers, fresh: true });
    const forms = status === 200 ? sentForms(text, pageUrl) : [];
    const [form, ...others] = forms.filter((each) => each.method === method && each.action === action);
    // Another form with the same address would make it uncertain which of them a value belongs to.
    return others.length === 0 ? form?.entries : undefined;
  };
  const [first, second] = [await read(), await read()];
  if (!first || !second || !isSmall(first) || first.length !== second.length) return undefined;
  const isLike = (entry: FormEntry, index: number): boolean => isEqual(entry, second[index]);
  const isHidden = (entry: FormEntry): boolean =>
    // One that another field has the name of is its value when that is not ticked, and shown by it.
    entry.type === 'hidden' && entry.value !== '' && first.filter(({ name }) => name === entry.name).length === 1;
  const isSteady = first.every((entry, index) => isHidden(entry) || isLike(entry, index));
  const isLeftOut = ({ type }: { type: string }) => type === 'file' || (type === 'password' && !mayHavePasswords);
  if (!isSteady || seen.some(isLeftOut) || first.some(isLeftOut) || first.some(isNameIn(pageUrl))) return undefined;
  const form: OwnForm = {
    pageUrl,
    action,
    method,
    fields: first.filter((entry) => !isHidden(entry) && !isConsequentialButton(entry)),
    hidden: first.filter((entry, index) => isHidden(entry) && isLike(entry, index) && !isPageSecret(entry)),
    tokens: first.filter(isHidden).map(({ name }) => name),
  };
  if (!looksSecret(formBody(form, {}))) return form;
  const text = `a form of ${pageUrl} was not tried: it has a secret in it, which must not be stored to put it back`;
  leave({ code: 'would_write', count: 1, text });
  return undefined;
}

/**
 * Whether a field repeats a part of its page's address: it is the name of a thing, which another one moves elsewhere. The page shows the
 * name of its address all the same, so that nothing would show whether it was put back.
 */
function isNameIn(pageUrl: string): (entry: FormEntry) => boolean {
  const { pathname, searchParams } = new URL(pageUrl);
  const named = new Set([pathname, ...searchParams.values()].flatMap((path) => partsOf(spelled(path))));
  return ({ type, value }) => type === 'text' && value.length >= minNameLength && named.has(spelled(value));
}

/** Each name of a path, and what it ends in: names may have slashes. */
const partsOf = (path: string): string[] => {
  const names = path.split('/');
  return names.flatMap((name, index) => [name, names.slice(index).join('/')]);
};

/** Whether an address has the text as words of its own, beside others: "User:Ann" names Ann. */
export function isNamedIn(pageUrl: string, value: string): boolean {
  const { pathname, searchParams } = new URL(pageUrl);
  const words = (text: string) => ` ${spelled(text).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const name = words(value);
  return (
    value.length >= minNameLength && [pathname, ...searchParams.values()].some((place) => words(place).includes(name))
  );
}

const minNameLength = 3;
const spelled = (name: string): string =>
  percentDecodedOrSame(name)
    .replace(/[_+\s-]+/g, ' ')
    .toLowerCase();

const isEqual = (one: FormEntry, other: FormEntry | undefined): boolean =>
  one.name === other?.name && one.value === other.value;
/** What only the site’s own page knows. */
export const isPageSecret = ({ name, value }: FormEntry): boolean =>
  value.length >= minTokenLength || tokenName.test(name);
const isConsequentialButton = ({ type, name, value }: FormEntry): boolean =>
  type === 'submit' && consequentialButton.test(`${name} ${value}`);

const isSmall = (entries: readonly FormEntry[]): boolean =>
  entries.length <= maxFields && entries.reduce((sum, { value }) => sum + value.length, 0) <= maxCharacters;

/**
 * The form's body with some values changed or added; these may hold references to trial values.
 * @param tokens names of the hidden fields that are sent by reference to what was captured for them; without them the
 * body is what another site can make up
 */
export function formBody(
  { fields, hidden }: OwnForm,
  changes: Readonly<Record<string, string>>,
  tokens: readonly string[] = [],
): string {
  const known = tokens.length === 0 ? [...hidden, ...fields] : fields;
  const added = Object.keys(changes).filter((name) => !known.some((field) => field.name === name));
  return [
    ...tokens.map((name, index) => [name, `‹encode:token${index + 1}›`]),
    ...known.map(({ name, value }) => [name, changes[name] === undefined ? encoded(value) : templated(changes[name])]),
    ...added.map((name) => [name, templated(changes[name] ?? '')]),
  ]
    .map(([name = '', value = '']) => `${encodeURIComponent(name)}=${value}`)
    .join('&');
}

/** Line breaks are sent as browsers do. Source: URL standard §5.2 and HTML standard §4.10.22.4. */
const encoded = (value: string): string => encodeURIComponent(value.replace(/\r\n?|\n/g, '\r\n'));
/** References to a trial's values stay. */
const templated = (value: string): string => (/^‹\w+›$/.test(value) ? value : encoded(value));

/** Takes the form's hidden fields from its page, as `token1`, `token2`, … */
const tokenCaptures = ({ action, tokens }: OwnForm): CaptureRule[] =>
  tokens.map((name, index) => ({
    name: `token${index + 1}`,
    subject: `body:form:${pathOf(action)} ${name}`,
    pattern: '(?s)^(.+)$',
    secret: true,
  }));

/** How what a form sends goes to its place: in the body, or by GET in the address. */
export function formRequest(
  { method, action }: OwnForm,
  body: string,
  headers: [string, string][],
): { method: string; url: string; headers: [string, string][]; body?: string } {
  if (method === 'POST') return { method, url: action, headers, body };
  const url = `${action.replace(/[?#].*$/s, '')}?${body}`;
  return { method, url, headers: headers.filter(([name]) => name !== formType[0]) };
}

const formType: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];

/** Headers of a browser on the form's own page, which protection against forged requests looks at. */
export const ownPageHeaders = ({ pageUrl }: Pick<OwnForm, 'pageUrl'>): [string, string][] => [
  formType,
  ['Origin', new URL(pageUrl).origin],
  ['Referer', pageUrl],
];

/** Those of a page of a site that has nothing to do with it. */
export const foreignPageHeaders: readonly [string, string][] = [
  ['Origin', 'https://‹nonce›.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
  formType,
];

/** Loads the form's page for its hidden fields; no step when it has none. */
export const tokenSteps = (form: OwnForm, user: string): Step[] =>
  form.tokens.length === 0
    ? []
    : [
        {
          http: { url: form.pageUrl },
          identity: user,
          note: 'The user opens the page of the form.',
          expect: [claim('status', 'equals', '200')],
          capture: tokenCaptures(form),
        },
      ];

/** Sends the form as its page would, with the values from before; its hidden fields are read right before. */
export function formUndo(form: OwnForm, changes: Readonly<Record<string, string>> = {}): WritePlan['undo'] {
  const { pageUrl, tokens } = form;
  return {
    ...formRequest(form, formBody(form, changes, tokens), ownPageHeaders(form)),
    ...(tokens.length === 0 ? {} : { fresh: { url: pageUrl, capture: tokenCaptures(form) } }),
  };
}

/** Everything that people fill in shows the value from before. */
export function formVerify({ pageUrl, action, fields }: OwnForm): WritePlan['verify'] {
  const shown = fields.filter(({ type }) => type !== 'submit' && type !== 'hidden');
  const names = [...new Set(shown.map(({ name }) => name))];
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const isAsBefore = (name: string): Assertion =>
    claim(`body:form:${pathOf(action)} ${name}`, 'equals', valuesOf(name).join('\n'));
  return { url: pageUrl, expect: [claim('status', 'equals', '200'), ...names.map(isAsBefore)] };
}
