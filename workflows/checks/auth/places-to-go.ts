import { leadsSomewhere } from '../addresses/redirect-payloads.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import type { LoginIdentity } from '../sessions/own-sessions.ts';

const maxParameters = 3;

/**
 * Parameters of a login page that say where to go after it: of the address that a visitor who is not logged in is sent to, of links that
 * the survey saw, and of hidden fields of the form, which many pages fill from their address.
 */
export async function placesToGo(
  context: CheckContext,
  { loginUrl, checkUrl, recipe }: LoginIdentity,
): Promise<string[]> {
  const { http, surface } = context;
  const { pathname } = new URL(loginUrl);
  const isPlace = (url: URL | null) => (url?.pathname === pathname ? [...url.searchParams] : []);
  const sent = await http.get(checkUrl, { jar: http.newJar(), fresh: true });
  const location = URL.parse(sent.header('location') ?? '', sent.request.url);
  const seen = surface.inputs.flatMap(({ method, url, parameter, in: place, sample }): [string, string][] =>
    method === 'GET' && place === 'query' && new URL(url).pathname === pathname ? [[parameter, sample]] : [],
  );
  const fields = recipe?.steps[0]?.fields ?? [];
  const filled = fields.flatMap((field): [string, string][] =>
    field.holds === 'hidden' ? [[field.name, '']] : field.holds === 'fixed' ? [[field.name, field.value]] : [],
  );
  const named = [...isPlace(location), ...isPlace(new URL(loginUrl)), ...seen, ...filled]
    .filter(([name, sample]) => leadsSomewhere(name, sample))
    .map(([name]) => name);
  return likeliest(context, [...new Set(named)], maxParameters, 'parameters of the login page that say where to go');
}

/** The page with a place to go, which may have references to trial values. */
export function withPlace(loginUrl: string, parameter: string, place: string): string {
  const url = new URL(loginUrl);
  url.searchParams.delete(parameter);
  url.hash = '';
  const separator = url.search === '' ? '?' : '&';
  return `${url.href}${separator}${encodeURIComponent(parameter)}=${encodeTemplate(place)}`;
}
