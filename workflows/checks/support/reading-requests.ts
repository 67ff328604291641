import { dangerOf } from '../../probe/crawl/danger.ts';
import { parseJson } from '../../probe/json.ts';
import type { FormSurface, InputSurface } from '../contract.ts';

/** Words of requests that look something up or work something out, in the languages that are met most. */
const readingWords = wholeWords(
  'q|s|search\\w*|find\\w*|query\\w*|term|keywords?|look-?up|filter\\w*|suggest\\w*|autocomplete|typeahead|such\\w+|recherche\\w*|rechercher',
  'busca\\w*|buscar|cerca|zoek\\w*|sort\\w*|szukaj|hledat|sok|calc|calculat\\w*|comput\\w*|convert\\w*|translat\\w*|estimat\\w*|preview|compare|graphql|rechner|berechn\\w+',
);
/** Of switches that change what the visitor sees, and nothing else. */
const switchWords = wholeWords('lang|language|locale|currency|theme|sprache|langue|idioma|i18n|setlang');
/** Of requests that keep, send or begin something. */
const writingWords = wholeWords(
  'save\\w*|store|add|create\\w*|new|edit|update\\w*|change|set-?password|register|sign-?up|subscribe|join|comment|reply|post|publish|upload',
  'order|book|reserve|apply|request|contact|message|feedback|newsletter|share|like|rate|review|report|insert|import|generate|start|run|enable',
);
/** Fields of forms that keep something or let somebody in. */
const writingFields = /^(?:password|file|email|tel)$/;
const maxFields = 8;
/** Fields whose value says what is to be done. */
const commandFields = /^(?:_?method|_?action|act|cmd|command|do|op|operation|task|event|mode)$/i;

function wholeWords(...lists: string[]): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${lists.join('|')})(?:$|[^a-z])`, 'i');
}

/** "searchProducts" is "search Products". */
const words = (text: string): string => text.replace(/([a-z])([A-Z])/g, '$1 $2');

/**
 * Whether a POST may be sent values of ours, because it only reads: it searches, filters, calculates, or switches a language, and
 * nothing about it says that it keeps, sends or begins something.
 */
export function isReadingPost(input: InputSurface, forms: readonly FormSurface[]): boolean {
  const { contentType = '', json, title = '' } = input;
  if (!/^(?:application\/(?:json|x-www-form-urlencoded)|multipart\/form-data)\b/.test(contentType)) return false;
  const form = formOf(input, forms);
  if (form) return isReadingForm(form);
  if (json && isGraphQlQuery(json.body)) return true;
  const told = [lastName(input.url), words(title)];
  if (told.some((text) => writingWords.test(text)) || dangerOf(input.url, title) !== undefined) return false;
  return told.some((text) => readingWords.test(text));
}

/** What a request does stands last in its path: "/api/orders/search". */
const lastName = (url: string): string => words(new URL(url).pathname.replace(/\/+$/, '').replace(/^.*\//, ''));

/** The form that sends the input. */
export const formOf = ({ url, parameter }: InputSurface, forms: readonly FormSurface[]): FormSurface | undefined =>
  forms.find(
    ({ action, method, fields }) =>
      method === 'POST' && action === url && fields.some(({ name }) => name === parameter),
  );

function isReadingForm({ action, label = '', fields }: FormSurface): boolean {
  const sent = fields.filter(({ type }) => type !== 'submit' && type !== 'hidden');
  if (sent.length > maxFields || fields.some(({ type }) => writingFields.test(type))) return false;
  const commands = fields.filter(({ name, type }) => type === 'submit' || commandFields.test(name));
  const told = words([lastName(action), label, ...commands.map(({ value }) => value)].join(' '));
  const isDangerous = [label, ...commands.map(({ value }) => value)].some(
    (text) => dangerOf(action, text) !== undefined,
  );
  if (writingWords.test(told) || isDangerous) return false;
  const names = words(fields.map(({ name }) => name).join(' '));
  // A text of some length is kept somewhere, unless the form says that it works something out.
  if (fields.some(({ type }) => type === 'textarea')) return readingWords.test(told);
  return [told, names].some((text) => readingWords.test(text) || switchWords.test(text));
}

/** A request of GraphQL whose operations are all queries. Source: GraphQL specification §2.3. */
function isGraphQlQuery(body: string): boolean {
  const { query } = Object(parseJson(body)) as { query?: unknown };
  return (
    typeof query === 'string' &&
    /^(?:\s|#[^\n]*\n)*(?:query\b|\{)/.test(query) &&
    !/\b(?:mutation|subscription)\b/.test(query)
  );
}

/** A form that lets somebody in: a name and one password. Names of ours that nobody has are refused, and lock nobody out. */
export function isLoginForm({ action, label = '', fields, method }: FormSurface): boolean {
  const passwords = fields.filter(({ type }) => type === 'password');
  const texts = fields.filter(({ type }) => type === 'text' || type === 'email' || type === 'tel');
  const told = words([new URL(action).pathname, label].join(' '));
  return (
    method === 'POST' &&
    passwords.length === 1 &&
    texts.length >= 1 &&
    texts.length <= 2 &&
    /log[-_ ]?[io]n|sign[-_ ]?in|auth|session|anmeld|connexion|iniciar|entrar|acced|войти|登录|ログイン/i.test(told) &&
    !/regist|sign[-_ ]?up|create|reset|forgot|change|invite/i.test(told)
  );
}
