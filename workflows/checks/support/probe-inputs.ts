import { dangerOf } from '../../probe/crawl/danger.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { Exchange } from '../../probe/types.ts';
import type { HttpAction } from '../../proof/experiment.ts';
import { fill, type TrialValues } from '../../proof/template.ts';
import type { CheckContext, FormSurface, InputSurface, Surface } from '../contract.ts';
import { encodeTemplate, inputUrl } from './input-url.ts';
import { namedPaths } from './path-inputs.ts';

/** Words of forms that look something up, in the languages that are met most. */
const searchWords =
  /(?:^|[^a-z])(?:q|s|search\w*|find\w*|query\w*|term|keywords?|lookup|filter\w*|such\w+|recherche\w*|rechercher|busca\w*|buscar|cerca|zoek\w*|szukaj|hledat|sok)(?:$|[^a-z])/i;
/** Fields of forms that keep something or let somebody in. */
const writingFields = /^(?:password|file|email|tel|textarea)$/;
const maxSearchFields = 8;

/**
 * Inputs that may be sent values of ours: those of addresses that only show something, and of POST forms that only search.
 * What a crawler must not follow is no place for probes either.
 */
export function inputsToProbe(surface: Surface): InputSurface[] {
  const dangerous = surface.skipped.filter(({ reason }) => reason.startsWith('the link may do something'));
  const dangerousRoutes = new Set(dangerous.map(({ url }) => normaliseRoute(url)));
  return [...surface.inputs, ...namedPaths(surface)].filter((input) => {
    if (input.parameter === '' || dangerOf(input.url, '') !== undefined || dangerousRoutes.has(input.route))
      return false;
    if (input.method === 'GET') return input.in !== 'body';
    return input.method === 'POST' && input.in === 'body' && isSearch(input, surface.forms);
  });
}

function isSearch({ url, parameter, others, contentType = '' }: InputSurface, forms: readonly FormSurface[]): boolean {
  if (!/^application\/(?:json|x-www-form-urlencoded)\b/.test(contentType)) return false;
  const names = [parameter, ...others.map(({ name }) => name)];
  const form = forms.find(({ action, method, fields }) => {
    const hasField = fields.some(({ name }) => name === parameter);
    return method === 'POST' && action === url && hasField;
  });
  if (names.length > maxSearchFields || form?.fields.some(({ type }) => writingFields.test(type))) return false;
  return (
    names.some((name) => searchWords.test(name)) && (form !== undefined || searchWords.test(new URL(url).pathname))
  );
}

/** The request that sends a value, a template perhaps, in the place of an input's own. A space is always `%20`. */
export function inputAction(input: InputSurface, value: string): HttpAction {
  if (input.in !== 'body') return { url: inputUrl(input, encodeTemplate(value)) };
  const others = input.others.filter(({ name }) => name !== '' && name !== input.parameter);
  const pairs = [...others, { name: input.parameter, value }];
  const isJson = input.contentType?.startsWith('application/json');
  return {
    method: 'POST',
    url: input.url,
    headers: [['content-type', isJson ? 'application/json' : 'application/x-www-form-urlencoded']],
    body: isJson
      ? JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair.name, pair.value])))
      : pairs.map((pair) => `${encodeURIComponent(pair.name)}=${encodeTemplate(pair.value)}`).join('&'),
  };
}

/** Longer than a page takes; a page that never answers must not use up the time of all. */
const timeoutMs = 8_000;

/** Sends an input's request with the values of one trial in it. */
export function sendInput(
  { http }: Pick<CheckContext, 'http'>,
  action: HttpAction,
  values: TrialValues,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<Exchange> {
  const { method = 'GET', url, headers = [], body } = action;
  return http.send({
    method,
    url: fill(url, values),
    headers: headers.map(([name, value]) => [name, fill(value, values)] as const),
    ...(body === undefined ? {} : { body: fill(body, values) }),
    timeoutMs,
    fresh,
  });
}
