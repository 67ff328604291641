import type { SecureContext } from 'node:tls';
import type {
  BrowserExploration,
  BrowserProbe,
  BrowserResult,
  BrowserSignIn,
  BrowserVisit,
  Explored,
  SignedIn,
} from '../../model/browser.ts';
import type { GateRequest } from '../../model/gate.ts';
import { valuesOf } from '../http/exchange.ts';
import { type ContextNeeds, inContext } from './context.ts';
import { explore } from './explore/explore.ts';
import type { Hold } from './explore/hold.ts';
import { isOn, ownPageOf } from './own-page.ts';
import type { BrowserParts } from './parts.ts';
import { makeProxyCertificate } from './proxy-certificate.ts';
import type { Proxied } from './proxy-parts.ts';
import { signIn } from './sign-in.ts';
import { look } from './visit.ts';

/** Contexts of one activity at the same time: each costs a process of some 100 MB. */
const maxVisits = 2;

/** The browser instrument: each visit has a context, a profile and a proxy of its own, gone afterwards. */
export function createBrowserProbe(parts: BrowserParts): BrowserProbe {
  let certificate: Promise<SecureContext> | undefined;
  const waiting: (() => void)[] = [];
  let open = 0;
  const giveBack = () => {
    // A slot that becomes free goes to the first that waits, so that no later caller takes it.
    const next = waiting.shift();
    if (next) next();
    else open -= 1;
  };
  const inTurn = async <T>(work: (own: Own) => Promise<T>): Promise<T> => {
    if (open === maxVisits) await new Promise<void>((resolve) => waiting.push(resolve));
    else open += 1;
    const closing: Promise<void>[] = [];
    try {
      certificate ??= makeProxyCertificate();
      return await work({ certificate: await certificate, onClosing: (closed) => closing.push(closed) });
    } finally {
      // Whoever visited need not wait for that.
      void Promise.allSettled(closing).then(giveBack);
    }
  };
  return {
    unavailable: async () =>
      parts.browsers ? parts.browsers.unavailable() : 'this worker was started without a browser',
    visit: (request) => inTurn((own) => visit(parts, request, own)),
    explore: (request) => inTurn((own) => visitToExplore(parts, request, own)),
    signIn: (request) => inTurn((own) => visitToSignIn(parts, request, own)),
  };
}

/** What belongs to one turn. */
type Own = Pick<ContextNeeds, 'certificate' | 'onClosing'>;

function visit(parts: BrowserParts, request: BrowserVisit, own: Own): Promise<BrowserResult> {
  const page = ownPageOf(request, parts.scope);
  const mayAsk = (asked: GateRequest) => isOn(page, asked.url) || parts.gate.decide(asked).allowed;
  const isAllowed = (url: string) => parts.scope.coversUrl(url) || isOn(page, url);
  return inContext(parts, { ...own, request, page }, async ({ context, proxied, limit, endMs }) => {
    const result = await look(context, isAllowed, request, proxied, limit, endMs, mayAsk);
    if (!isOn(page, result.finalUrl)) parts.blocks.passPage(documentOf(result, proxied));
    return result;
  });
}

function visitToExplore(parts: BrowserParts, request: BrowserExploration, own: Own): Promise<Explored> {
  const hold: Hold = { back: 'nothing', bodies: [] };
  return inContext(parts, { ...own, request, page: undefined, hold }, ({ context, proxied, limit, endMs }) =>
    explore(context, request, proxied, hold, parts.scope.coversUrl, limit, endMs),
  );
}

/** The document that the page ended on: redirects, clicks and scripts may have led away from the first one. */
function documentOf(
  { finalUrl, status, headers, html }: Pick<BrowserResult, 'finalUrl' | 'status' | 'headers' | 'html'>,
  proxied: readonly Proxied[],
) {
  const shown = finalUrl.replace(/#.*$/s, '');
  const last = proxied.findLast(({ url, answer }) => answer && URL.parse(url)?.href === shown)?.answer;
  const answer = last ?? { status, headers };
  const header = (name: string) => valuesOf(answer.headers, name)[0];
  return { url: finalUrl, status: answer.status, header, text: html };
}

const visitToSignIn = (parts: BrowserParts, request: BrowserSignIn, own: Own): Promise<SignedIn> =>
  inContext(
    { ...parts, licence: 'credentials' },
    { ...own, request, page: undefined },
    async ({ context, proxied, limit, endMs }) => {
      const seen = await signIn(context, parts.scope, request, proxied, limit, endMs);
      // A script that a firewall answers shows its user wrong credentials, or nothing.
      if (seen.answer) parts.blocks.passLogin({ ...seen.answer, url: seen.answer.request.url });
      parts.blocks.passLogin(documentOf({ ...seen, headers: [] }, proxied));
      return seen;
    },
  );
