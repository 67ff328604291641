import { parseJson } from '../../model/json.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { orLeft } from '../pages/or-left.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';

/**
 * A request for authorization that the site itself answers, whose input is its redirect address.
 * Sources: RFC 6749 §4.1.1, OpenID Connect Core 1.0 §3.1.2.1.
 */
export type AuthorizationRequest = {
  input: InputSurface;
  /** Name of the parameter that says which client asks. */
  clientName: string;
  /** The address that the site itself sends, as far as it is known; else its own first page. */
  registered: URL;
};

const maxRequests = 10;
const maxScripts = 40;
const redirectName = /^redirect_?ur[il]$/i;
const clientName = /^(?:client|app(?:lication)?)_?id$/i;

/** Those that links, forms, redirects and scripts of the site name; where there are none, those that its settings make. */
export async function authorizationRequests(context: CheckContext): Promise<AuthorizationRequest[]> {
  const named = context.surface.inputs.flatMap(requestOf);
  const found = named.length > 0 ? named : await configuredRequests(context);
  const byClient = new Map(found.toReversed().map((request) => [keyOf(request), request]));
  return atMost(context, [...byClient.values()].toReversed(), maxRequests, 'requests for authorization');
}

function requestOf(input: InputSurface): AuthorizationRequest[] {
  if (input.method !== 'GET' || input.in !== 'query' || !redirectName.test(input.parameter)) return [];
  const client = input.others.find(({ name }) => clientName.test(name));
  return client ? [requestWith(input, client.name)] : [];
}

const requestWith = (input: InputSurface, client: string): AuthorizationRequest => ({
  ...{ input, clientName: client },
  registered: URL.parse(input.sample || '/', input.url) ?? new URL('/', input.url),
});

const keyOf = ({ input, clientName }: AuthorizationRequest): string =>
  [input.route, input.others.find(({ name }) => name === clientName)?.value].join(' ');

/** RFC 8414 §3, OpenID Connect Discovery 1.0 §4. */
const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const;
const clientSetting = /\b(?:client|app)_?id["']?\s{0,9}[:=]\s{0,9}["'`]([\w.:-]{1,100})["'`]/i;
const redirectSetting =
  /\bredirect_?ur[il]["']?\s{0,9}[:=]\s{0,9}(?:[\w.]{0,40}origin\s{0,9}\+\s{0,9})?["'`](?:\$\{[\w.]{0,40}origin\})?([^"'`\s]{0,300})["'`]/i;
/** Whoever serves no such client ignores it (RFC 7636 §4.3, RFC 6749 §3.1). */
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Libraries of clients make the request of a script's settings, and of where the server says that it takes such. */
async function configuredRequests(context: CheckContext): Promise<AuthorizationRequest[]> {
  // A user alone is shown little: the scripts are those of all visitors.
  const shown = [context.surface, ...(context.shownBefore ?? [])];
  const scripts = likeliest(
    context,
    [...new Set(shown.flatMap(ownScripts))].filter((url) => !isLibraryFile(url)),
    maxScripts,
    'script files that may have settings of a login',
  );
  const known = settingsOf(context.runId);
  for (const url of scripts) {
    if (!known.has(url)) {
      const [script] = await orLeft(context, url, () => context.http.get(url));
      if (script === undefined) continue;
      known.set(url, settingsIn(script.text));
    }
    const settings = known.get(url);
    if (!settings) continue;
    const endpoint = await authorizationEndpoint(context);
    return endpoint === undefined
      ? []
      : [requestWith(inputAt(endpoint, settings.client, settings.redirect), 'client_id')];
  }
  return [];
}

type ClientSettings = { client: string; redirect: string };

function settingsIn(script: string): ClientSettings | undefined {
  const client = clientSetting.exec(script)?.[1];
  return client === undefined ? undefined : { client, redirect: redirectSetting.exec(script)?.[1] ?? '' };
}

/** Runs of this worker whose scripts' settings are kept. */
const mostRuns = 4;
/** By the run: what a script says is read once, and holds for each visitor. */
const keptSettings = new Map<string, Map<string, ClientSettings | undefined>>();

function settingsOf(runId: string): Map<string, ClientSettings | undefined> {
  const known = keptSettings.get(runId) ?? new Map<string, ClientSettings | undefined>();
  keptSettings.delete(runId);
  keptSettings.set(runId, known);
  const [oldest] = keptSettings.keys();
  if (keptSettings.size > mostRuns && oldest !== undefined) keptSettings.delete(oldest);
  return known;
}

async function authorizationEndpoint({ http, surface }: CheckContext): Promise<string | undefined> {
  for (const path of discoveryPaths) {
    const { status, text } = await http.get(new URL(path, surface.url).href);
    if (status !== 200) continue;
    const { authorization_endpoint: named } = Object(parseJson(text)) as { authorization_endpoint?: unknown };
    const endpoint = typeof named === 'string' ? URL.parse(named, surface.url) : null;
    if (endpoint && isOwn(endpoint, surface)) return endpoint.href;
  }
  return undefined;
}

const isOwn = ({ origin }: URL, { origins }: Surface): boolean => origins.some((own) => own.origin === origin);

function inputAt(url: string, client: string, sample: string): InputSurface {
  const others = {
    response_type: 'code',
    client_id: client,
    scope: 'openid',
    state: 'f3a91c',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return {
    ...{ method: 'GET', url, route: normaliseRoute(url), parameter: 'redirect_uri', in: 'query', sample },
    others: Object.entries(others).map(([name, value]) => ({ name, value })),
  };
}
