import type { Exchange, HeaderList } from '../model/http.ts';
import type { FormSurface } from '../model/surface.ts';
import { namesCommand } from '../probe/gate/acting-query.ts';
import { isOnePlace, keysOfForm } from '../probe/gate/form-key.ts';
import { mildIn } from '../probe/gate/mild-words.ts';
import { namesWhatIsSaved } from '../probe/gate/saving-names.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { weightyChoices } from '../probe/gate/words/sending.ts';
import { decoded, tokensOf } from '../probe/gate/words/spelling.ts';
import { actingInName } from '../probe/gate/words.ts';
import { fittingText } from '../probe/html/fitting-text.ts';
import { type FormEntry, type SentForm, sentForms } from '../probe/html/submission.ts';
import { fillerFor, isPageToken } from '../survey/form-inputs.ts';

/** A form or a request of a script, as it is sent once to see what it does. */
export type Submission = {
  /** What its observation is kept under, and the same with its place and command. */
  key: string;
  exact: string;
  /** Under which it is kept besides, of an entry that the audit has made (see `keysOfEntry`). */
  entries?: readonly string[];
  method: 'GET' | 'POST';
  url: string;
  headers: HeaderList;
  body: string;
  /** The body as the ledger may keep it: without tokens. */
  recordedBody: string;
  /** Values of ours in it, which nothing else has. */
  words: readonly string[];
  pageUrl: string;
  /** It asks for a text by GET, and says nothing of keeping it or doing something. Source: RFC 9110 §9.2.1. */
  asks?: true;
  /** It is a query of GraphQL, which changes nothing by its kind. Source: GraphQL specification §6.2.1. */
  queries?: true;
  /** Its button says that something is added or saved. */
  adds?: true;
  /** So does its address: what the answer repeats was made. */
  makes?: true;
  /** It takes a text of some length, which is kept somewhere more often than not. */
  takesLongText: boolean;
  /** Of what is sent with a token: the same with that of its page as it is now. */
  renewed?: (page: Exchange) => Submission;
  /** Of a form. */
  putBack?: (pageHtml: string) => PutBack;
};

/**
 * What a form's page says after it was sent: "nothing" where it does not show all that was kept, "empty" where its fields have no
 * value of ours, else the request that empties those fields again, as they were, and leaves all others.
 */
type PutBack = 'nothing' | 'empty' | Submission;

/** What is put into fields that are free: a word, and a number where only numbers go. */
export type Neutral = { word: string; number: string };

/** Why a form is left alone: it has no free field and is no mere choice, or it shows what it keeps already. */
export type LeftAlone = 'no-free-field' | 'keeps-what-it-shows';

const textTypes = /^(?:text|search|textarea)$/;
const numberTypes = /^(?:number|range)$/;

/**
 * A form with a neutral value in each of its free fields and its own values elsewhere.
 * @param pageHtml its page as it is now, for tokens; what the survey saw where the form is not on it
 * @param sendsOwnValues what has no free field, or shows what it keeps, is sent with the values that stand there
 */
export function neutralForm(
  form: FormSurface,
  pageHtml: string,
  neutral: Neutral,
  sendsOwnValues = false,
): Submission | LeftAlone {
  const entries = entriesOf(form, pageHtml);
  if (
    !sendsOwnValues &&
    entries.some(({ type, value }) => textTypes.test(type) && type !== 'search' && value.trim() !== '')
  )
    return 'keeps-what-it-shows';
  const filled = entries.map((entry, index) =>
    repeatsField(entries, index) ? entry : { ...entry, value: valueFor(entry, form, neutral) },
  );
  const words = [neutral.word, neutral.number].filter((word) => filled.some(({ value }) => value === word));
  if (words.length === 0 && !isMereChoice(form) && !sendsOwnValues) return 'no-free-field';
  const own = filled.flatMap(({ name, value }) => (words.includes(value) ? [name] : []));
  return { ...sentWith(form, filled, words), putBack: (html) => putBack(form, html, words, own) };
}

/** @param own names of the fields that were given a value of ours */
function putBack(form: FormSurface, pageHtml: string, words: readonly string[], own: readonly string[]): PutBack {
  const shown = shownForm(form, pageHtml);
  if (form.method !== 'POST' || !shown || shown.entries.length === 0) return 'nothing';
  const entries = entriesOf(form, pageHtml);
  const isOurs = ({ value }: FormEntry) => words.some((word) => isWrittenFrom(word, value));
  if (!entries.some(isOurs)) return 'empty';
  const kept = own.filter((name) => entries.some((entry) => entry.name === name && isOurs(entry)));
  if (!showsWhatItKeeps(kept.length, own.length)) return 'nothing';
  const emptied = entries.map((entry) => (isOurs(entry) ? { ...entry, value: '' } : entry));
  return sentWith(form, emptied, words);
}

/**
 * Settings show again what they keep, and some leave a field aside that means nothing by itself. What shows a single one of several
 * sends something, and keeps a name.
 */
const showsWhatItKeeps = (kept: number, sent: number): boolean => kept === sent || (kept >= 2 && 2 * kept >= sent);

/** A page may end a text's lines, wrap it in paragraphs, or write a number with its decimals. */
const isWrittenFrom = (word: string, value: string): boolean => {
  const text = value.replace(/<[^<>]*>/g, '').trim();
  return (
    text === word || (/^\d+$/.test(word) && /^[\d.,]+$/.test(text) && Number(text.replace(',', '.')) === Number(word))
  );
};

function sentWith(form: FormSurface, entries: readonly FormEntry[], words: readonly string[]): Submission {
  const { method, action, pageUrl } = form;
  const isAdding = buttonsOf(form).some(adds);
  const common = {
    ...keysOfForm(form),
    method,
    words,
    pageUrl,
    takesLongText: entries.some(({ type }) => type === 'textarea'),
    ...(entries.some(isPageToken) ? { renewed: renewing(form, entries, words) } : {}),
    ...(method === 'GET' && kindOfForm(form).kind === 'asks' ? { asks: true as const } : {}),
    ...(isAdding ? { adds: true as const } : {}),
    ...(isAdding && method === 'POST' && addsAt(action) ? { makes: true as const } : {}),
  };
  const from: HeaderList = [
    ['Origin', new URL(pageUrl).origin],
    ['Referer', pageUrl],
  ];
  const body = urlencoded(entries);
  if (method === 'GET') {
    const url = new URL(action);
    url.search = body;
    return { ...common, url: url.href, headers: from.slice(1), body: '', recordedBody: '' };
  }
  const recorded = entries.map((entry) => (isPageToken(entry) ? { ...entry, value: '***' } : entry));
  if (!form.enctype.startsWith('multipart/form-data')) {
    const headers: HeaderList = [['Content-Type', 'application/x-www-form-urlencoded'], ...from];
    return { ...common, url: action, headers, body, recordedBody: urlencoded(recorded) };
  }
  const headers: HeaderList = [['Content-Type', `multipart/form-data; boundary=${boundary}`], ...from];
  return { ...common, url: action, headers, body: multipart(entries), recordedBody: multipart(recorded) };
}

const buttonsOf = ({ label = '', fields }: FormSurface): string[] => [
  label,
  ...fields.flatMap(({ type, value }) => (type === 'submit' ? value : [])),
];

/** Of the words of what shows a form as often as it acts, those that set nothing going. */
function adds(button: string): boolean {
  const word = mildIn(button);
  return (
    word !== undefined && !/^(?:start|stop|run|generate|sync|refresh|reload|optimi|backup|cron|collect|warm)/.test(word)
  );
}

/** "/notes/add", and as a route of a program with one address, "?route=/notes/add". */
function addsAt(action: string): boolean {
  const { pathname, searchParams } = new URL(action);
  const routes = [...searchParams.values()].filter((value) => value.includes('/'));
  return [pathname, ...routes].some((path) => adds(path.split('/').findLast((part) => part !== '') ?? ''));
}

/** A page may give a token anew whenever it is shown, and take the last one alone. */
const renewing =
  (form: FormSurface, entries: readonly FormEntry[], words: readonly string[]) =>
  ({ text }: Pick<Exchange, 'text'>): Submission => {
    const tokens = new Map(entriesOf(form, text).flatMap((each) => (isPageToken(each) ? [[each.name, each]] : [])));
    return sentWith(
      form,
      entries.map((entry) => (isPageToken(entry) ? (tokens.get(entry.name) ?? entry) : entry)),
      words,
    );
  };

function entriesOf(form: FormSurface, pageHtml: string): FormEntry[] {
  const { fields } = form;
  const onPage = shownForm(form, pageHtml);
  // Of its buttons the one is sent that the survey has chosen.
  const sent =
    onPage && onPage.entries.length > 0
      ? typedIn(onPage.entries)
      : fields.filter(({ type, isUnticked, isRequired }) => type !== 'submit' && (!isUnticked || isRequired));
  return [
    ...sent.filter(({ type }) => type !== 'file'),
    ...unmadeChoices(fields, sent),
    ...fields.filter(({ type }) => type === 'submit'),
  ];
}

/** Of radio buttons of which none is ticked the first: without a choice a page does not go on. */
function unmadeChoices(fields: FormSurface['fields'], sent: readonly FormEntry[]): FormEntry[] {
  const names = new Set(sent.map(({ name }) => name));
  const radios = Map.groupBy(
    fields.filter(({ type, name }) => type === 'radio' && !names.has(name)),
    ({ name }) => name,
  );
  return [...radios].flatMap(([name, group]) => {
    const value = choiceOf(
      name,
      group.map((each) => each.value),
    );
    return value === undefined ? [] : [{ name, value, type: 'radio' }];
  });
}

/** The first that can be chosen, where no choice says that something is done. */
const choiceOf = (name: string, values: readonly string[]): string | undefined =>
  namesCommand(name, 'a') || values.some((value) => actingInName(value) !== undefined)
    ? undefined
    : values.find((value) => value !== '');

/** The form as its page has it: what is sent to another place of the same program is another form. */
function shownForm({ method, action, pageUrl, fields }: FormSurface, pageHtml: string): SentForm | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const alike = sentForms(pageHtml, pageUrl).filter(
    (each) =>
      each.method === method &&
      withoutQuery(each.action) === withoutQuery(action) &&
      isOnePlace(method, each.action, action) &&
      typedIn(each.entries).every(({ name }) => names.has(name)),
  );
  return alike.find((each) => each.action === action) ?? alike[0];
}

/** A visitor chooses or ticks, and the form leads to another page; what that is about weighs little, and nothing is kept by its words. */
const isMereChoice = (form: FormSurface): boolean =>
  form.fields.some(({ type }) => choiceTypes.test(type)) &&
  form.fields.every(({ type }) => choiceTypes.test(type) || type === 'hidden' || type === 'submit') &&
  kindOfForm(form).kind !== 'keeps' &&
  !tokensOf(decoded(`${wordsOf(form.action)} ${form.label ?? ''}`)).some((token) => weighty.test(token)) &&
  !form.fields.some(({ name }) => tokensOf(name).some((token) => weighty.test(token)));

/** Of a program with one address the query says what is done. */
const wordsOf = (action: string): string => {
  const { pathname, searchParams } = new URL(action);
  return [pathname, ...searchParams.values()].join(' ');
};

const choiceTypes = /^(?:select|checkbox|radio)$/;
const weighty = new RegExp(`^(?:${weightyChoices})$`, 'u');

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const typedIn = (entries: readonly FormEntry[]): FormEntry[] => entries.filter(({ type }) => type !== 'submit');

/** Pages with a row of fields for each entry would keep a value for every one of them. */
function repeatsField(entries: readonly FormEntry[], index: number): boolean {
  const fieldOf = ({ name }: FormEntry) => name.replace(/\d+/g, '#');
  const entry = entries[index];
  if (!entry || !(textTypes.test(entry.type) || numberTypes.test(entry.type))) return false;
  return entries.findIndex((each) => fieldOf(each) === fieldOf(entry) && each.type === entry.type) !== index;
}

/** "LoadSearch" to choose from, "merge_into", "existing_address": with an entry there, the form writes over that one, or joins two. */
function takesExisting({ name, type }: FormEntry): boolean {
  const tokens = tokensOf(name);
  const words = type === 'select' ? /^(?:load|restore|existing|merge)$/ : /^(?:existing|merge)$/;
  return tokens.length > 1 && tokens.some((token) => words.test(token));
}

function valueFor(entry: FormEntry, { fields }: FormSurface, { word, number }: Neutral): string {
  const { name, type, value } = entry;
  const isRequired = fields.some((field) => field.name === name && field.isRequired);
  const demands = fields.find((field) => field.name === name && field.type === type) ?? { type };
  if (value !== '' || namesWhatIsSaved(name) || (takesExisting(entry) && !isRequired)) return value;
  if (type === 'select') return choiceOf(name, fields.find((field) => field.name === name)?.options ?? []) ?? value;
  if (textTypes.test(type)) return fittingText(demands, word);
  if (numberTypes.test(type)) return fittingText(demands, number);
  return isRequired ? fillerFor(demands) : value;
}

const urlencoded = (entries: readonly Pick<FormEntry, 'name' | 'value'>[]): string =>
  entries.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** No text of ours has it. RFC 7578 §4.1. */
const boundary = 'form-7d2b41c9e0';

const multipart = (entries: readonly Pick<FormEntry, 'name' | 'value'>[]): string =>
  entries
    .map(({ name, value }) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
    .concat(`--${boundary}--\r\n`);

/** What its page gives anew: a token, a session in which it is taken. A form that only asks has none. Source: RFC 9110 §9.2.1. */
export const hasOwnState = ({ method, fields }: FormSurface): boolean =>
  method !== 'GET' || fields.some(({ type }) => type === 'hidden');
