import type { Exchange } from '../model/http.ts';
import { isFinal, ProbeError, type ProbeErrorCode } from '../model/probe-error.ts';
import type { SkipCode, Skipped } from '../model/skipped.ts';
import { documentTypeOf } from '../probe/http/document-type.ts';
import type { Echoes } from './echoes.ts';
import type { Frontier } from './frontier.ts';
import type { Lead } from './lead.ts';
import type { Tally } from './left-out.ts';
import type { SendRequest } from './origins.ts';
import type { CookieList } from './page-cookies.ts';
import type { Scribe } from './scribe.ts';

/** Beyond this many pages the kinds of pages repeat; the shapes of the frontier bound most sites long before. */
const maxPages = 400;
/** Requests on their way at the same time; the connections are bounded elsewhere. */
const width = 5;
const timeoutMs = 8_000;
/** Pages are far smaller; what is larger is read as far as this. Bundles of scripts are as large as their libraries. */
const maxPageBytes = 1024 * 1024;
const maxScriptBytes = 2 * maxPageBytes;
const isScript = /\.m?js(?:$|\?)/i;
/** Pages that fail in a row before the site counts as gone. */
const maxFailures = 10;
/** Pages that are too slow also when they are asked for alone, in a row, before the others of that kind are left. */
const maxSlow = 3;

type Crawl = {
  signal: AbortSignal;
  send: SendRequest;
  frontier: Frontier;
  scribe: Scribe;
  echoes: Echoes;
  cookies: CookieList;
  failed: Skipped[];
  tally: Tally;
};

/** Fetches what the frontier gives until there is no more. @returns why it would fetch no further pages, if there are any */
export async function crawl({
  signal,
  send,
  frontier,
  scribe,
  echoes,
  cookies,
  failed,
  tally,
}: Crawl): Promise<SkipCode> {
  const onTheWay = new Set<Promise<void>>();
  /** A program that does one thing at a time answers none while it makes a slow page: those are asked for again alone, at the end. */
  const late: { lead: Lead; error: ProbeError }[] = [];
  const again = new Set<Lead>();
  let slowInRow = 0;
  let failuresInRow = 0;
  let ending: SkipCode | undefined;

  const leave = (lead: Lead, error: ProbeError) => {
    frontier.saw(lead, undefined);
    const code = skipCodes[error.code] ?? 'failed';
    failed.push({ url: lead.url, code, reason: error.message });
    tally.add(code, lead.url);
    return code;
  };

  const visit = async (lead: Lead) => {
    try {
      const exchange = await sendTwice(send, lead.url, () => failuresInRow === 0);
      failuresInRow = 0;
      slowInRow = 0;
      if (await echoes.isEcho(lead.url, exchange)) {
        frontier.saw(lead, { status: exchange.status, contentType: documentTypeOf(exchange), isBarren: true });
        return tally.addWord('alike', lead.url);
      }
      cookies.read(lead.url, exchange.text);
      frontier.saw(lead, scribe.read(lead, exchange));
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      const isSlow = error.code === 'timeout';
      if (isSlow && !again.has(lead) && ++failuresInRow < maxFailures) return void late.push({ lead, error });
      const code = leave(lead, error);
      if (error.code === 'refused') return;
      if (isSlow && again.has(lead)) slowInRow += 1;
      else if (isFinal(error)) ending ??= code;
      else if (code === 'failed' && ++failuresInRow >= maxFailures) ending ??= 'failed';
    }
  };

  const nextLate = (): Lead | undefined => {
    if (onTheWay.size > 0 || slowInRow >= maxSlow) return undefined;
    const lead = late.shift()?.lead;
    if (lead) again.add(lead);
    return lead;
  };

  while (!ending) {
    signal.throwIfAborted();
    const hasRoom = scribe.pages.length + onTheWay.size < maxPages;
    const lead = hasRoom ? (frontier.next() ?? nextLate()) : undefined;
    if (lead) {
      const visiting: Promise<void> = visit(lead).finally(() => onTheWay.delete(visiting));
      onTheWay.add(visiting);
    }
    if (onTheWay.size === 0) break;
    if (!lead || onTheWay.size >= width) await Promise.race(onTheWay);
  }
  await Promise.all(onTheWay);
  for (const { lead, error } of late) leave(lead, error);
  return ending ?? 'too-many';
}

/** A page that gives no answer is asked for once more, as long as the site gives others. @throws ProbeError */
async function sendTwice(send: SendRequest, url: string, isUp: () => boolean): Promise<Exchange> {
  const maxBodyBytes = isScript.test(url) ? maxScriptBytes : maxPageBytes;
  try {
    return await send({ url, timeoutMs, maxBodyBytes });
  } catch (error) {
    const isPassing = error instanceof ProbeError && passing.includes(error.code);
    if (!isPassing || !isUp()) throw error;
    return send({ url, timeoutMs, maxBodyBytes });
  }
}

/** Another attempt may fare better. */
const passing: readonly ProbeErrorCode[] = ['unreachable', 'protocol_error', 'tls_failed'];

/** Failures that are not the page's. */
const skipCodes: Partial<Record<ProbeErrorCode, SkipCode>> = {
  budget_exhausted: 'budget',
  out_of_time: 'out-of-time',
  session_lost: 'session-lost',
  ends_session: 'ends-session',
  excluded: 'excluded',
  refused: 'would-act',
};
