import type { Explored } from '../model/browser.ts';
import type { Omitted } from '../model/omission.ts';
import { isSocketUrl } from '../model/socket-messages.ts';
import type { CallSurface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { calledByMessage } from '../probe/gate/message-words.ts';
import { parameterNames } from '../probe/parameter-names.ts';
import { partOfBody, partRoute } from '../probe/program-parts.ts';
import { calledIn } from './body-inputs.ts';
import { isUnfilled } from './unfilled.ts';

const maxCalls = 1_000;
const maxSockets = 100;
/** Addresses that differ in what looks like an identifier. */
const maxOfRoute = 30;
/** Of all together, in characters; each is as long as a visit reads. */
const maxBodiesLength = 1024 * 1024;
/** Parts of pages are no calls of script. */
const isPart = /\.(?:m?js|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|map)$/i;

/** All queries of GraphQL go to one address: what a body asks for there is of a kind of its own. */
const queriedBy = (contentType: string, body: string): string =>
  (/\bjson\b/i.test(contentType) && calledIn(body)) || '';

/** What a body is for, of a program that takes many of one address. */
const partOf = (url: string, contentType: string, body: string): string =>
  isSocketUrl(url) ? (calledByMessage(body) ?? '') : partOfBody(contentType, body) || queriedBy(contentType, body);

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** Requests of scripts, each kind once. */
export type CallList = {
  add(request: Explored['requests'][number], pageUrl: string): void;
  /** A WebSocket over which something goes that is not known, or nothing. */
  addUnread(socket: Explored['unreadSockets'][number]): void;
  all(): CallSurface[];
  /** WebSockets of which something is unknown: no page sends a text over them, or some send what is none. */
  unread(): string[];
  /** How many were beyond the limit. */
  left(): Omitted[];
};

export function createCallList(): CallList {
  const calls = new Map<string, CallSurface>();
  const routes = new Map<string, number>();
  const unread = new Map<string, boolean>();
  const ofControls = new Set<CallSurface>();
  let [left, leftBodies, bodiesLength] = [0, 0, 0];
  const roomFor = (body: string): boolean => {
    if (bodiesLength + body.length > maxBodiesLength) {
      leftBodies += 1;
      return false;
    }
    bodiesLength += body.length;
    return true;
  };
  return {
    add({ url, method, headers, body, control, held, refused }, pageUrl) {
      const { pathname, searchParams } = new URL(url);
      if (method === 'GET' && (isPart.test(pathname) || isUnfilled(pathname))) return;
      const names = parameterNames(searchParams).join(' ');
      const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
      const part = body === undefined ? '' : partOf(url, contentType ?? '', body);
      const key = `${method} ${pathname} ${names} ${part}`;
      const known = calls.get(key);
      if (known) {
        // What a page asks for by itself is that page's, whichever page's menu has led there before.
        if (ofControls.has(known) && control === undefined) {
          known.pageUrl = pageUrl;
          delete known.control;
          ofControls.delete(known);
        }
        return;
      }
      const route = `${method} ${partRoute(url)} ${names} ${part}`;
      const ofRoute = (routes.get(route) ?? 0) + 1;
      routes.set(route, ofRoute);
      if (calls.size >= maxCalls || ofRoute > maxOfRoute) {
        left += 1;
        return;
      }
      const call: CallSurface = {
        ...{ method, url, pageUrl },
        ...(contentType === undefined ? {} : { contentType }),
        ...(body !== undefined && roomFor(body) ? { body } : {}),
        ...(control === undefined || control === '' ? {} : { control }),
        ...(held || refused ? { held: true as const } : {}),
      };
      calls.set(key, call);
      if (control !== undefined) ofControls.add(call);
    },
    addUnread({ url, isSilent }) {
      const address = addressOf(url);
      if (unread.size < maxSockets) unread.set(address, isSilent && unread.get(address) !== false);
    },
    all: () => [...calls.values()],
    unread() {
      const heard = new Set([...calls.values()].filter(({ url }) => isSocketUrl(url)).map(({ url }) => addressOf(url)));
      return [...unread].flatMap(([address, isSilent]) => (isSilent && heard.has(address) ? [] : address));
    },
    left: () => {
      const text = `${counted(left, 'request')} of scripts ${wasOrWere(left)} not taken up: ${maxOfRoute} of their route were, or ${maxCalls.toLocaleString('en')} in all`;
      const bodies = `${counted(leftBodies, 'body', 'bodies')} of requests of scripts ${wasOrWere(leftBodies)} not kept: a survey keeps ${maxBodiesLength.toLocaleString('en')} characters of them`;
      return [
        ...(left === 0 ? [] : [{ code: 'alike' as const, count: left, text }]),
        ...(leftBodies === 0 ? [] : [{ code: 'too_many' as const, count: leftBodies, text: bodies }]),
      ];
    },
  };
}
