import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HeaderList } from '../../model/http.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import { probeErrorFrom } from '../errors.ts';
import { valuesOf } from '../http/exchange.ts';
import type { Incoming } from '../http/sender.ts';
import { runHeader, userAgentOf } from '../identify.ts';
import { isHeld, keepBody, noteBody } from './explore/hold.ts';
import { learnCookies, withKnownCookies } from './explore/known-cookies.ts';
import { isOn, servePage } from './own-page.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { maxFileBytes, type SharedFile } from './shared-files.ts';

/** A page may post this much; forms of tests are far smaller. */
const maxUploadBytes = 1024 * 1024;
/** What the browser gets of one answer, as encoded. The rest is cut: the browser sees a broken connection. */
const maxDownloadBytes = 16 * 1024 * 1024;

/** Source: RFC 9110 §9.2.1. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Fields that are between the browser and the proxy only. Source: RFC 9110 §7.6.1. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const outOfScope = (url: string) =>
  new ProbeError('out_of_scope', `${url} is not what this scan may send requests to`);

/** Passes one request of the browser on, and its answer back. */
export async function forward(
  parts: ProxyParts,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const report = { method, url };
  if (parts.page && isOn(parts.page, url))
    return parts.onRequest({
      ...report,
      answer: { status: servePage(parts.page, url, request, response), headers: [] },
    });
  if (parts.hold && isHeld(parts.hold, { method, url, headers: request.headers })) {
    await keepBody(parts.hold, method, url, request);
    response.writeHead(204).end();
    return;
  }
  if (!parts.scope.coversUrl(url)) {
    parts.onRequest({ ...report, refused: outOfScope(url) });
    response.writeHead(403, { connection: 'close' }).end();
    return;
  }
  const asked = { method, url, headers: request.headers };
  const kept = parts.files.find(asked);
  if (kept) return giveKept(parts, kept, asked, request, response);
  let uploaded: Uint8Array | undefined;
  try {
    const own = requestHeaders(parts, url, request.rawHeaders);
    const headers = parts.hold ? withKnownCookies(parts.hold, own) : own;
    uploaded = await upload(request);
    if (parts.hold && uploaded && isUnreported(request)) noteBody(parts.hold, { method, url, body: uploaded });
    if (!reads.has(method)) parts.onWrite();
    const incoming = await parts.send({
      instrument: 'browser',
      method,
      url,
      headers,
      body: uploaded,
      fresh: false,
      signal: parts.signal,
      licence: parts.licence,
    });
    const { status } = incoming;
    if (parts.hold) learnCookies(parts.hold, incoming.headers);
    parts.onRequest({ ...report, cookies: cookieNames(headers), answer: { status, headers: incoming.headers } });
    const body = await answer(incoming, response, parts.files.mayKeep(asked, incoming));
    if (body) parts.files.keep(url, { status, headers: incoming.headers, body });
  } catch (error) {
    const known = probeErrorFrom(error, parts.signal);
    const isRefusal = known.code === 'forbidden_address' || known.code === 'refused' || isFinal(known);
    if (!response.headersSent) parts.onRequest({ ...report, ...(isRefusal ? { refused: known } : { failure: known }) });
    if (known.code === 'refused' && parts.hold && uploaded) noteBody(parts.hold, { method, url, body: uploaded });
    if (known.code === 'refused') return void response.writeHead(403, { connection: 'close' }).end();
    // A connection that ends is what the browser would have seen of the target. It may be gone already, with an upload that was cut.
    response.destroy();
  }
}

/** What has files in it the browser does not tell. */
const isUnreported = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

const cookieNames = (headers: HeaderList): string[] =>
  valuesOf(headers, 'cookie').flatMap((line) => line.split(';').map((pair) => pair.replace(/=.*$/s, '').trim()));

async function upload(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxUploadBytes) throw new ProbeError('too_large', 'the page uploads too much');
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
}

/** The browser's own headers, with those of the visit and the scan's name instead of its. */
export function requestHeaders(parts: ProxyParts, url: string, raw: readonly string[]): HeaderList {
  const added = parts.headersFor(url);
  const replaced = new Set([...hopByHop, runHeader.toLowerCase(), ...added.map(([name]) => name.toLowerCase())]);
  const kept = pairs(raw).filter(([name]) => !replaced.has(name.toLowerCase()));
  const named = kept.map(([name, value]): [string, string] =>
    name.toLowerCase() === 'user-agent' ? [name, userAgentOf(parts.runId)] : [name, value],
  );
  return [...named, ...added, [runHeader, parts.runId]];
}

export function pairs(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return list;
}

/** A file that was fetched for a visit before. */
function giveKept(
  parts: ProxyParts,
  { status, headers, body }: SharedFile,
  { method, url }: { method: string; url: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  request.resume();
  const cookies = cookieNames(requestHeaders(parts, url, request.rawHeaders));
  parts.onRequest({ method, url, cookies, answer: { status, headers } });
  response.sendDate = false;
  response.writeHead(status, responseHeaders(headers).flat()).end(body);
}

/** @returns the body when it is to be kept, is whole and is not too large for that */
async function answer(incoming: Incoming, response: ServerResponse, isKept: boolean): Promise<Buffer | undefined> {
  let complete = false;
  const chunks: Buffer[] = [];
  let size = 0;
  const copied = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bounded(source)) {
      size += chunk.length;
      if (isKept && size <= maxFileBytes) chunks.push(chunk);
      yield chunk;
    }
  };
  try {
    // The page gets the target's fields, not this proxy's.
    response.sendDate = false;
    response.writeHead(incoming.status, responseHeaders(incoming.headers).flat());
    await pipeline(incoming.body, copied, response);
    complete = true;
    return isKept && size <= maxFileBytes ? Buffer.concat(chunks) : undefined;
  } finally {
    incoming.end(complete);
  }
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxDownloadBytes) throw new ProbeError('too_large', 'the answer is too large for the browser');
    yield chunk;
  }
}

/** Everything that concerns the page, byte for byte; fields that are not HTTP are left out: Node would refuse to send them. */
function responseHeaders(headers: HeaderList): HeaderList {
  return headers
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && /^[\w!#$%&'*+.^`|~-]+$/.test(name))
    .filter(([, value]) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));
}
