import type { BrowserContext, Request } from 'playwright-core';
import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { graphQlAddress } from '../graphql-address.ts';
import { makeExchange } from '../http/exchange.ts';
import type { Scope } from '../scope.ts';
import type { Proxied } from './proxy-parts.ts';

/** What an app sent while somebody logged in to it. */
export type SignInTraffic = {
  /** From now on the password is on its way. */
  begin(): void;
  /** Whether the app's requests say by a header who asks. */
  hasHeaders(): boolean;
  /** Those headers. @param kept what the app's scripts keep: a header that holds it is one of them */
  headers(kept: readonly string[]): [string, string][];
  calls(): string[];
  /**
   * Requests other than reads that the app has sent of itself since the password was sent.
   * @param proxied what has passed the proxy: what a page sends while it is left, the browser does not report
   */
  writes(proxied: readonly Proxied[]): { method: string; url: string }[];
  /** Waits for the answer to the password, as long as it takes. */
  answered(): Promise<void>;
  /** Of the document that was loaded last. */
  documentStatus(): number | undefined;
  /** The request with the password and its answer. */
  answer(): Promise<Exchange | undefined>;
};

const maxCalls = 20;
/** Shorter values stand in headers by chance. */
const minKeptLength = 16;
const maxTexts = 2_000;

const sayingWho =
  /^(?:authorization|(?:x-)?[\w-]*(?:auth|access|session|user|id|api)[\w-]*-?token|x-auth[\w-]*|token|jwt)$/i;
const maxNameLength = 100;
const saysWho = (name: string): boolean => name.length <= maxNameLength && sayingWho.test(name);
const notSaying = /csrf|xsrf|^(?:cookie|user-agent|referer|origin|host|accept.*|content-.*|sec-.*|if-.*)$/i;

const isRead = (method: string): boolean => /^(?:GET|HEAD|OPTIONS)$/.test(method);
const placeOf = (method: string, url: string): string => `${method} ${url}`;

/** Collects the in-scope requests of a context. */
export function watchSignIn(context: BrowserContext, scope: Scope, password: string): SignInTraffic {
  const spellings = [
    password,
    encodeURIComponent(password),
    new URLSearchParams([['', password]]).toString().slice(1),
    JSON.stringify(password).slice(1, -1),
  ];
  const headers = new Map<string, string>();
  const calls = new Set<string>();
  const writes = new Map<string, { method: string; url: string }>();
  const reported = new Set<string>();
  let [hasBegun, status]: [boolean, number | undefined] = [false, undefined];
  let withPassword: Request | undefined;
  let firstWrite: Request | undefined;
  const answered = Promise.withResolvers<void>();

  context.on('request', (request) => {
    reported.add(placeOf(request.method(), request.url()));
    if (!hasBegun || !scope.coversUrl(request.url())) return;
    const text = `${request.url()}\n${request.postData() ?? ''}`;
    const hasPassword = spellings.some((spelling) => text.includes(spelling));
    if (hasPassword) withPassword ??= request;
    const isWrite = !isRead(request.method()) && addressOf(request) === undefined;
    if (request.method() !== 'GET') firstWrite ??= request;
    if (isWrite && withPassword && !hasPassword && writes.size < maxCalls)
      writes.set(placeOf(request.method(), request.url()), { method: request.method(), url: request.url() });
    for (const [name, value] of Object.entries(request.headers())) if (!notSaying.test(name)) headers.set(name, value);
  });
  const onOver = (request: Request) => {
    if (request === (withPassword ?? firstWrite)) answered.resolve();
  };
  context.on('requestfinished', onOver);
  context.on('requestfailed', onOver);
  context.on('response', (response) => {
    const request = response.request();
    if (!hasBegun || !scope.coversUrl(request.url())) return;
    if (request.isNavigationRequest()) status = response.status();
    const address = addressOf(request);
    if (address !== undefined && response.ok() && calls.size < maxCalls) calls.add(address);
  });

  return {
    begin() {
      hasBegun = true;
    },
    hasHeaders: () => [...headers.keys()].some(saysWho),
    headers(kept) {
      const tokens = kept.flatMap(textsIn).filter(({ length }) => length >= minKeptLength);
      return [...headers].filter(([name, value]) => saysWho(name) || tokens.some((token) => value.includes(token)));
    },
    calls: () => [...calls],
    writes(proxied) {
      const unreported = proxied.filter(
        ({ method, url, answer }) => answer && !isRead(method) && !reported.has(placeOf(method, url)),
      );
      for (const { method, url } of unreported)
        if (writes.size < maxCalls) writes.set(placeOf(method, url), { method, url });
      return [...writes.values()];
    },
    answered: () => answered.promise,
    documentStatus: () => status,
    // An app that sends a digest of the password sends it with its first write.
    answer: async () => exchangeOf(withPassword ?? firstWrite),
  };
}

/** Where what a request has asked for can be read; undefined for what does not only ask, and for images, styles and scripts. */
function addressOf(request: Request): string | undefined {
  if (!['document', 'xhr', 'fetch'].includes(request.resourceType())) return undefined;
  return request.method() === 'GET' ? request.url() : graphQlAddress(request.url(), request.postData() ?? '');
}

/** The value itself, and the texts in it when it is JSON. */
function textsIn(value: string): string[] {
  const texts = [value];
  const work: unknown[] = [parseJson(value)];
  for (let index = 0; index < work.length && index < maxTexts; index += 1) {
    const item = work[index];
    if (typeof item === 'string') texts.push(item);
    else if (typeof item === 'object' && item !== null) work.push(...Object.values(item));
  }
  return texts;
}

async function exchangeOf(request: Request | undefined): Promise<Exchange | undefined> {
  const response = await request?.response().catch(() => null);
  if (!request || !response) return undefined;
  const headersOf = (list: { name: string; value: string }[]) =>
    list.map(({ name, value }): [string, string] => [name, value]);
  const [sent, received] = await Promise.all([request.headersArray(), response.headersArray()]);
  // The body of a redirect is not kept by the browser.
  const body = await response.body().catch(() => Buffer.alloc(0));
  return makeExchange({
    request: { method: request.method(), url: request.url(), headers: headersOf(sent), body: request.postData() ?? '' },
    status: response.status(),
    httpVersion: '1.1',
    headers: headersOf(received),
    body,
    truncated: false,
    remoteAddress: '',
    elapsedMs: 0,
    redirects: [],
  });
}
