import type { BrowserVisit, WebStorage } from '../model/browser.ts';
import type { DnsProbe, DnsReply } from '../model/dns.ts';
import type { Action, CallbackAction, DnsQuestion, HttpAction } from '../model/experiment.ts';
import type { CookieJar, Exchange, HeaderList } from '../model/http.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { Probes } from '../model/probes.ts';
import type { TlsProbe, TlsRequest } from '../model/tls.ts';
import type { Observed } from './subjects/observed.ts';
import { bodyBytesFor, isNeeded } from './subjects.ts';

/** A logged-in session: what it adds to a request is attached when the request is sent, and stored nowhere. */
export type Session = {
  jar: CookieJar;
  headers: HeaderList;
  /** What scripts have kept for it in the browser. */
  storage?: WebStorage;
  /** How a reader logs in by hand. */
  recipe?: LoginRecipe;
};

/**
 * Performs the action of one step on fresh connections.
 * @param subjects what its claims and captures will look at
 * @param waiting how long a browser waits (see BrowserVisit)
 * @throws ProbeError when no answer came: that says nothing about the claim
 */
export async function observe(
  probes: Probes,
  action: Action,
  session: Session | undefined,
  subjects: readonly string[] = [],
  waiting: Pick<BrowserVisit, 'isDone' | 'isShown'> = {},
): Promise<Observed> {
  if ('http' in action) return askHttp(probes, action.http, session, subjects);
  if ('tls' in action) return shakeHands(probes.tls, action.tls, subjects);
  if ('hello' in action) return { kind: 'hello', answer: await probes.tls.hello(action.hello) };
  if ('smtp' in action) return { kind: 'smtp', look: await probes.smtp.look(action.smtp.host) };
  if ('dns' in action) return { kind: 'dns', reply: await askDns(probes.dns, action.dns, subjects) };
  if ('callback' in action) return { kind: 'callback', callbacks: await hear(probes, action.callback) };
  const { jar, headers, storage } = session ?? {};
  const carried = { ...(jar && { jar }), ...(headers && { headers }), ...(storage && { storage }) };
  const result = await probes.browser.visit({ ...action.browser, ...carried, ...waiting });
  return { kind: 'browser', result };
}

/** @throws ProbeError `turned_off` where there is no listener: a proof of another installation may be run again here */
async function hear({ callbacks }: Probes, { token, waitMs }: CallbackAction) {
  if (!callbacks)
    throw new ProbeError('turned_off', 'there is no listener for callbacks here (CALLBACK_HOST is not set)');
  return callbacks.wait([token], waitMs);
}

/** A claim about signatures has the answer validated. */
function askDns(dns: DnsProbe, { name, type, server }: DnsQuestion, subjects: readonly string[]): Promise<DnsReply> {
  if (server !== undefined) return type === 'AXFR' ? dns.transfer(name, server) : dns.ask(name, type, server);
  return isNeeded(subjects, 'dnssec') ? dns.validate(name, type) : dns.query(name, type);
}

/** To a claim about it, a failure is the answer; the target has to be the cause, so time limits and our own refusals are none. */
async function shakeHands(tls: TlsProbe, request: TlsRequest, subjects: readonly string[]): Promise<Observed> {
  try {
    const waitsForTicket = isNeeded(subjects, 'session-ticket');
    const asksForStaple = isNeeded(subjects, 'staple');
    return { kind: 'tls', handshake: await tls.handshake({ ...request, waitsForTicket, asksForStaple }) };
  } catch (error) {
    const isAnswer = error instanceof ProbeError && (error.code === 'unreachable' || error.code === 'tls_failed');
    if (!isAnswer || !isNeeded(subjects, 'failure')) throw error;
    return { kind: 'no-tls', code: error.code, message: error.message };
  }
}

/** As long as a delay may be that a check causes. */
const silenceMs = 5_000;

/** To a claim about it, silence is the answer. */
async function askHttp(
  probes: Probes,
  action: HttpAction,
  session: Session | undefined,
  subjects: readonly string[],
): Promise<Observed> {
  try {
    return { kind: 'http', exchange: await sendHttp(probes, action, session, subjects) };
  } catch (error) {
    const isSilence = error instanceof ProbeError && error.code === 'timeout';
    if (!isSilence || !isNeeded(subjects, 'silence')) throw error;
    return { kind: 'no-http', waitedMs: silenceMs, message: error.message };
  }
}

function sendHttp(probes: Probes, action: HttpAction, session: Session | undefined, subjects: readonly string[]) {
  const maxBodyBytes = bodyBytesFor(subjects);
  const { method = 'GET', url, body, httpVersion, copies = 1 } = action;
  const headers = [...(session?.headers ?? []), ...(action.headers ?? [])];
  const send = () =>
    probes.http.send({
      method,
      url,
      headers,
      fresh: true,
      ...(body === undefined ? {} : { body }),
      ...(httpVersion && { httpVersion }),
      ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
      ...(isNeeded(subjects, 'silence') ? { timeoutMs: silenceMs } : { closingIsAnswer: true }),
      ...(session ? { jar: session.jar } : {}),
    });
  return copies > 1 ? sendAtOnce(send, copies) : send();
}

/** All are waited for, whatever becomes of one: what comes next finds their effect. @throws ProbeError */
async function sendAtOnce(send: () => Promise<Exchange>, copies: number): Promise<Exchange> {
  const sent = await Promise.allSettled(Array.from({ length: copies }, send));
  const failed = sent.find((each) => each.status === 'rejected');
  const answered = sent.find((each) => each.status === 'fulfilled');
  if (failed || !answered) throw failed?.reason ?? new ProbeError('protocol_error', 'nothing was sent');
  return answered.value;
}

/** Everything of a session that must not be stored or shown. */
export function sessionSecrets(session: Session): string[] {
  const fromHeaders = session.headers.flatMap(([, value]) => [value, ...value.split(' ').slice(1)]);
  return [...session.jar.all().map((cookie) => cookie.value), ...fromHeaders].filter((value) => value.length >= 8);
}
