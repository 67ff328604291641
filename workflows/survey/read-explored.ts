import { setImmediate as turn } from 'node:timers/promises';
import type { Explored, TakenForm } from '../model/browser.ts';
import { refused as refusedAs } from '../probe/gate/refusal.ts';
import { commandShape } from '../probe/gate/urls.ts';
import type { CallList } from './calls.ts';
import { formOf } from './form-address.ts';
import { leadSource } from './lead.ts';
import { liveConnection } from './live-connections.ts';
import { type Notes, withoutFragment } from './notes.ts';
import { readHtml } from './read-html.ts';
import { sentBodies } from './sent-bodies.ts';
import { acceptedIn, sentForm, sentLogin } from './sent-forms.ts';
import { sentHeaders } from './sent-headers.ts';
import type { DrawnPage } from './shells.ts';

/**
 * Notes what a page that was used in the browser shows, asks for and leads to. Between its states the worker does what else it has to: to
 * read all at once takes longer than it may be silent.
 */
export type ReadExplored = (explored: Explored, pageUrl: string) => Promise<DrawnPage>;

export function exploredReader(notes: Notes, calls: CallList): ReadExplored {
  const { scope, frontier, gate, forms, inputs, cut, mayTry, explore } = notes;
  /** What pages ask for by themselves or by a control that says it only shows, and what one that acts led to before. */
  const read = new Set<string>();
  const held = new Set<string>();
  /** Shapes of what pages ask for as they open. */
  const readAtOnce = new Set<string>();

  const followRoute = (route: string) => {
    if (!scope.coversUrl(route)) return;
    frontier.add({ url: route, source: leadSource.browser });
    if (isRoute(route) && mayTry(withoutFragment(route))) explore(route);
  };

  /** What goes over a connection are messages, as over a WebSocket: no page and no input is there, and an answer may never come. */
  const leaveLive = (url: string) => {
    const live = liveConnection(url);
    if (live !== undefined && scope.coversUrl(live))
      frontier.add({ url: live, source: leadSource.browser }, ofMessages);
  };

  /** A request that may change something, judged by its control, counts as a form that was not sent. */
  const readRequest = (request: Explored['requests'][number], pageUrl: string, accept: string | undefined) => {
    const { url, method, control, refused } = request;
    if (!scope.coversUrl(url)) return;
    calls.add(request, pageUrl);
    const sent = sentForm(request, pageUrl, accept);
    if (sent) forms.addHeld(sent);
    const login = sentLogin(request, pageUrl);
    if (login) forms.addScripted(login);
    if (method !== 'GET') return;
    // What a page reads by itself only reads, also when it is read again after something was pressed: a list after an entry of it was deleted.
    if (control !== '' && !request.held && !refused) {
      read.add(url);
      if (held.delete(url)) gate.learn({ pages: [url] });
    }
    if (control === undefined && !request.held && !refused) {
      readAtOnce.add(commandShape(url));
      gate.learn({ pages: [url] });
    }
    if (request.held === 'acts' && read.has(url)) return;
    // Who has logged in is asked for again, perhaps in other words.
    if (request.held === 'sends' && readAtOnce.has(commandShape(url))) return;
    if (request.held === 'acts' || refused) {
      if (!refused) held.add(url);
      gate.learn({ refused: [url] });
      return frontier.add({ url, source: leadSource.browser, ...(!refused && { isAsked: true }) }, actsByControl);
    }
    if (!request.held) {
      if (mayTry(url)) inputs.addUrl(frontier.indexPages.byFolder(url));
      return frontier.add({ url, source: leadSource.browser });
    }
    const form = formOf(url, pageUrl, control);
    if (!form) return frontier.add({ url, source: leadSource.browser, isGuess: true });
    forms.addHeld(form);
  };

  /** Requests of scripts, without those for the pages themselves. */
  const callsBesides = (): number => calls.all().filter(({ url, pageUrl }) => url !== withoutFragment(pageUrl)).length;

  return async (given, pageUrl) => {
    for (const { url } of given.requests) leaveLive(url);
    for (const socket of given.unreadSockets) if (scope.coversUrl(socket.url)) calls.addUnread(socket);
    const requests = given.requests
      .filter(({ url }) => !ofRouter.test(url) && liveConnection(url) === undefined)
      .map((request) => ({ ...request, url: withoutCacheKey(request.url) }));
    const explored = { ...given, requests };
    const { finalUrl, states, routes, unread } = explored;
    const lead = { url: withoutFragment(finalUrl), source: leadSource.browser };
    let more = 0;
    const note = <T>(work: () => T): T => {
      const known = forms.all().length + callsBesides();
      const noted = work();
      more += forms.all().length + callsBesides() - known;
      return noted;
    };
    const shapes: DrawnPage['shapes'] = [];
    for (const html of scope.coversUrl(lead.url) ? states : []) {
      shapes.push(note(() => readHtml(notes, lead, html).shape));
      await turn();
    }
    note(() => {
      for (const route of routes) followRoute(route);
      const accept = acceptedIn(states);
      for (const request of requests) readRequest(request, pageUrl, accept);
      for (const sent of sentBodies(explored)) if (scope.coversUrl(sent.url)) inputs.addBody(sent);
      for (const sent of sentHeaders(explored)) if (scope.coversUrl(sent.url)) inputs.add(sent);
      for (const taken of explored.takenForms) if (!isStillSent(taken, requests)) forms.leave(lead.url, taken);
    });
    if (unread.requests + unread.states + unread.parts > 0) cut.push(finalUrl);
    inputs.leaveValues(unread.bodies);
    return { shapes, isMore: more > 0 };
  };
}

/** The script asks the server for what the form would: it only shows the answer otherwise. */
const isStillSent = ({ action, names }: TakenForm, requests: Explored['requests']): boolean =>
  requests.some(({ url, method }) => {
    const asked =
      method === 'GET' && withoutQuery(url) === withoutQuery(action) ? new URL(url).searchParams : undefined;
    return asked !== undefined && names.some((name) => asked.has(name));
  });

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const actsByControl = refusedAs('would-act', 'the control that leads there does something');

const ofMessages = refusedAs('websocket', 'what is sent over a connection that stays open may do something');

/**
 * Routers ask for the data of a page with a parameter that changes with what is shown, and which the page does not have. Source: routers of
 * Next.js and SvelteKit.
 */
const cacheKey = /^(?:_rsc|x-sveltekit-(?:invalidated|trailing-slash))=/;

/**
 * What a router asks for to learn which routes there are, whatever was pressed: it is nobody's action and no input of the application.
 * Source: React Router, lazy route discovery.
 */
const ofRouter = /^[^?#]*\/__manifest\?(?:p|paths)=/;

function withoutCacheKey(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return url;
  const kept = query.split('&').filter((pair) => !cacheKey.test(pair));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** What stands behind "#" is an address to the page's script, and not a place in the page. */
const isRoute = (url: string): boolean => /#!?\//.test(url);
