import { DocumentFault } from '../../kit/documents/draft.ts';
import type { Reader } from '../../kit/documents/read-aside.ts';
import type { PageSurface } from '../model/surface.ts';
import { documentedScope, isReading } from './documented.ts';
import type { Documented } from './documented-request.ts';
import type { Tally } from './left-out.ts';

/** Descriptions of an API that the survey came upon. */
export type FoundDocuments = {
  /** Takes up what may be a description. */
  add(url: string, text: string): void;
  /** What those that wait describe of the target; nothing when none waits. */
  read(signal: AbortSignal): Promise<Documented[]>;
  /** Whether one was found. */
  any(): boolean;
};

/** OpenAPI 2.0 to 3.1, as JSON or YAML, Postman collections, which name their schema, and services of WSDL. */
const mark =
  /(?:^|["'\s{,])(?:openapi|swagger)["']?\s*:\s*["']?(?:2\.0|3\.\d)|"schema"\s*:\s*"https?:\/\/schema\.(?:get)?postman\.com\/|<(?:[\w.-]{1,50}:)?definitions\b[^<>]{0,5000}http:\/\/schemas\.xmlsoap\.org\/wsdl\//;
/** A site has one or two; each takes a thread. */
const maxDocuments = 5;
/** Of all of them; each is fetched, and its inputs are tried. */
const maxRequests = 500;

/**
 * Where frameworks put the description, or the page that shows it: springdoc, FastAPI, Swashbuckle, NestJS, swagger-jsdoc, Flask, Express,
 * Rails; then Flasgger, drf-spectacular, Go, and what projects choose themselves.
 */
const usualPaths = [
  [
    '/openapi.json',
    '/swagger.json',
    '/v3/api-docs',
    '/v2/api-docs',
    '/swagger/v1/swagger.json',
    '/api-docs',
    '/api-docs/swagger.json',
    '/api/openapi.json',
    '/openapi.yaml',
    '/docs/openapi.json',
    '/api/swagger.json',
    '/api-docs/v1/swagger.json',
  ],
  [
    '/api/v1/openapi.json',
    '/v1/openapi.json',
    '/api-json',
    '/apispec_1.json',
    '/apispec.json',
    '/swagger/doc.json',
    '/api/schema/',
    '/docs',
    '/api/docs',
    '/swagger',
  ],
] as const;

const commonest = usualPaths[0].slice(0, 6);

/** An interface below the root has its description beside it: that of an application in a folder, or of one that another mounts. */
const besideNames = ['openapi.json', 'swagger.json', 'openapi.yaml', 'openapi.yml'];
const rootOfInterface = /^(?:\/[\w.~-]+)*?\/(?:api|rest|v\d+)(?=\/)|^\/[\w~-]+(?=\/)/i;
const maxInterfaces = 2;

function besideInterfaces(origin: string, pages: readonly PageSurface[]): string[] {
  const roots = pages.filter(isJson).flatMap(({ url }) => rootOfInterface.exec(new URL(url).pathname)?.[0] ?? []);
  return [...new Set(roots)]
    .slice(0, maxInterfaces)
    .flatMap((root) => besideNames.map((name) => `${origin}${root}/${name}`));
}

const isJson = ({ contentType }: PageSurface): boolean => /\bjson\b/.test(contentType);

/** Addresses of SOAP services, which describe themselves where they are asked with "?wsdl". */
const service = /\.(?:asmx|svc)$|\/(?:[\w.-]*soap[\w.-]*|ws)(?:\/[\w.-]+)?\/?$/i;
const maxServices = 5;

/**
 * Usual places of a description, in rounds of which each is for a site where those before found none. Only a site that answers with JSON,
 * or that shows no page at all, is asked for them: where pages are, there is hardly one. With a session only where none was shown JSON
 * without, at the commonest places.
 * @param origin that answered
 * @param shown what was known before
 */
export function guessedDocuments(
  origin: string,
  pages: readonly PageSurface[],
  shown?: readonly PageSurface[],
): string[][] {
  const beside = besideInterfaces(origin, pages);
  if (shown)
    return pages.some(isJson) && !shown.some(isJson) ? [[...beside, ...commonest.map((path) => origin + path)]] : [];
  const services = [...new Set(pages.map(({ url }) => url.replace(/[?#].*$/s, '')).filter((url) => service.test(url)))];
  const described = services.slice(0, maxServices).map((url) => `${url}?wsdl`);
  const isApi = pages.some(isJson) || pages.every(({ status }) => status >= 400);
  const rounds = isApi ? usualPaths.map((paths) => paths.map((path) => origin + path)) : [];
  return [[...(rounds[0] ?? []), ...described], beside, ...rounds.slice(1)].filter((round) => round.length > 0);
}

/** Whether one of the pages has this path. Its last part alone says nothing: most sites have "/", and many "/login". */
function shownAt(pages: readonly PageSurface[]): (path: string) => boolean {
  const paths = pages.filter(({ status }) => status === 200).map(({ url }) => partsIn(new URL(url).pathname));
  return (path) => {
    const parts = partsIn(path);
    const isPart = (each: string, at: number) => /^\{[^{}]+\}$/.test(parts[at] ?? '') || parts[at] === each;
    return parts.length > 1 && paths.some((shown) => shown.length === parts.length && shown.every(isPart));
  };
}

const partsIn = (path: string): string[] => path.split('/').filter((part) => part !== '');

/**
 * @param target URL that is audited
 * @param pages that it has shown: a description that it gives out is its own where it says how one of them is asked for, whatever host it names
 */
export function createFoundDocuments(
  readDocument: Reader,
  { target, tally, pages }: { target: string; tally: Tally; pages(): readonly PageSurface[] },
): FoundDocuments {
  const waiting: { url: string; text: string }[] = [];
  let found = 0;
  let taken = 0;

  const readOne = async (url: string, text: string, signal: AbortSignal): Promise<Documented[]> => {
    try {
      const { requests, requestsLeftOut, parametersLeftOut, bodiesLeftOut } = await readDocument(text, signal);
      const whole = requests.map(({ title = '', ...request }) => ({ ...request, title }));
      const { inside, outside } = documentedScope(whole, target, shownAt(pages()));
      const unread = requestsLeftOut + parametersLeftOut + bodiesLeftOut;
      if (unread > 0) tally.addWord('too_many', url, unread);
      const foreign = outside.reduce((sum, each) => sum + each.requests, 0);
      if (foreign > 0) tally.addWord('other_host', url, foreign);
      const writing = inside.filter((request) => !isReading(request) && request.method !== 'POST').length;
      if (writing > 0) tally.addWord('would_write', url, writing);
      const kept = inside.slice(0, maxRequests - taken);
      taken += kept.length;
      if (kept.length < inside.length) tally.addWord('too_many', url, inside.length - kept.length);
      return kept;
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      tally.addWord('page_cut', url);
      return [];
    }
  };

  return {
    add(url, text) {
      if (!mark.test(text)) return;
      found += 1;
      if (found > maxDocuments) tally.addWord('too_many', url);
      else waiting.push({ url, text });
    },
    async read(signal) {
      const described: Documented[] = [];
      for (let next = waiting.shift(); next; next = waiting.shift())
        described.push(...(await readOne(next.url, next.text, signal)));
      return described;
    },
    any: () => found > 0,
  };
}
