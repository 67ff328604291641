import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { shannonBits } from '../pages/entropy.ts';
import type { SetCookie } from './set-cookie.ts';

/** Names that frameworks and servers give to their session cookie. */
const frameworkNames =
  /^(?:PHPSESSID|J?SESSION(?:ID)?|ASP\.NET_SessionId|ASPSESSIONID[A-Z]+|\.ASPX(?:AUTH|FORMSAUTH)|\.AspNetCore\.(?:Session|Cookies|Identity\.\w+)|connect\.sid|koa[.:]sess|express[.:]sess(?:ion)?|sails\.sid|sessionid|laravel_session|symfony|ci_sessions?|cakephp|CFID|CFTOKEN|rack\.session|_\w+_session|S?SESS[0-9a-f]{32}|wordpress_(?:logged_in|sec)_\w+|frontend|adminhtml|next-auth\.session-token|authjs\.session-token|better-auth\.session_token|sb-\w+-auth-token|plone|beaker\.session\.id|play_session|grails_remember_me|remember_(?:me|token|user_token)|remember_web_\w+)$/i;

/** Words that name what a session is made of, as words of a longer name. */
const sessionWords =
  /(?:^|[._\-:]|[a-z](?=[A-Z]))(?:sess(?:ion)?(?:[._-]?(?:id|key|token))?|sid|auth(?:entication|n)?|jwt|login|logged|identity|ticket|credential|(?:access|id|refresh|user|auth|bearer)[._-]?token)(?:$|[._\-:\d]|(?<=[a-z])(?=[A-Z]))/i;

/** Words that name nothing but a session: what merely has to do with a login ("auth", "ticket") may name anything of it. */
const certainNames =
  /(?:^|[._\-:]|[a-z](?=[A-Z]))(?:sess(?:ion)?(?:[._-]?(?:id|key|token))?|sid|jwt|logged[._-]?in|(?:access|auth|bearer|user)[._-]?token)(?:[._-]?\d+)?$/i;

/**
 * What a login keeps while the visitor is with an identity provider (state, nonce, verifier), or where it leads afterwards: it
 * opens no account, and has to come back with a request of another site.
 */
const loginState =
  /(?:^|[._\-:]|[a-z](?=[A-Z]))(?:state|nonce|pkce|verif(?:y|ier|ication)|challenge|correlation|trans(?:action)?|txn|callback|redirect|return(?:[._-]?(?:to|url))?|continue|next|ref(?:errer)?)(?:$|[._\-:\d]|(?<=[a-z])(?=[A-Z]))/i;

/** Cookies that carry no session, however random they look: analytics, load balancers, bot defence, consent, CSRF, tastes. */
const otherPurposes =
  /^(?:_g(?:a|id|at|cl|ac)(?:[._].*)?|_fb[pc]|__utm.|_hj.*|_pk_.*|_uet.*|_clck|_clsk|ajs_.*|amplitude.*|AMP_.*|mp_.*|optimizely.*|_?hubspot.*|__hs.*|hubspotutk|_ym_.*|intercom-.*|__cf.*|_?cf(?:_|uvid|duid).*|AWSALB.*|AWSELB.*|ARRAffinity.*|ApplicationGatewayAffinity.*|GCLB|INGRESSCOOKIE|dtCookie\w*|dtPC|rxVisitor|_shopify_(?:y|s|sa_\w)|ai_(?:user|session)|__stripe_[ms]id|AMCV.*|s_(?:vi|fid|ecid)|BIGip.*|TS[0-9a-f]{6,}.*|incap_ses.*|visid_incap.*|nlbi_.*|NSC_.*|ak_bmsc|bm_.*|_abck|datadome|SERVERID|ROUTEID|sticky.*|route|lb[_-].*|.*(?:csrf|xsrf).*|__RequestVerificationToken.*|\.AspNetCore\.Antiforgery.*|.*consent.*|euconsent.*|OptanonAlert.*|.*(?:locale|language|theme|currency|timezone|country|banner|popup|dismissed|seen|variant|experiment|abtest|utm).*|lang|tz|device_?id|visitor_?id|client_?id|tracking_?id|guest_?id)$/i;

export type SessionSignal =
  | 'framework name'
  | 'session-like name'
  | 'signed value'
  | 'random value'
  | 'HttpOnly'
  | 'new for each visitor'
  | 'known to the server';

/** Points of each signal. At three the cookie is taken for a session, so that no single signal is enough. */
const weights: Record<SessionSignal, number> = {
  'framework name': 2,
  'session-like name': 1.5,
  'signed value': 1,
  'random value': 1,
  HttpOnly: 0.5,
  'new for each visitor': 0.5,
  'known to the server': 1,
};
const threshold = 3;

/** What browsers make of the name, and not what the cookie is for. Source: RFC 6265bis §4.1.3. */
const withoutPrefix = (name: string): string => name.replace(/^__(?:host|secure|http|host-http)-/i, '');

/** What one Set-Cookie line shows; undefined when the cookie serves another purpose. */
export function signalsOf(cookie: SetCookie): Set<SessionSignal> | undefined {
  const name = withoutPrefix(cookie.name);
  if (hasOtherPurpose(name)) return undefined;
  const signals = new Set<SessionSignal>();
  if (frameworkNames.test(name)) signals.add('framework name');
  else if (sessionWords.test(name)) signals.add('session-like name');
  if (isSigned(cookie.value)) signals.add('signed value');
  if (isRandom(cookie.value)) signals.add('random value');
  if (cookie.httpOnly) signals.add('HttpOnly');
  return signals;
}

/** A session identifies by a value that nobody can guess; whatever else is said, a short or plain value does not. */
export function isSession(signals: ReadonlySet<SessionSignal>): boolean {
  if (!signals.has('random value') && !signals.has('signed value')) return false;
  return [...signals].reduce((sum, signal) => sum + weights[signal], 0) >= threshold;
}

/** Whether a name says that a value is for something else than sessions. */
export const hasOtherPurpose = (name: string): boolean => {
  const bare = withoutPrefix(name);
  return otherPurposes.test(bare) || (loginState.test(bare) && !frameworkNames.test(bare));
};

/** Whether it is a session for sure: by a name that nothing else has, or because the server knows its own values. */
export const isCertain = (name: string, signals: ReadonlySet<SessionSignal>): boolean =>
  signals.has('framework name') || signals.has('known to the server') || certainNames.test(withoutPrefix(name));

/** Whether a name says that a value is of a session. */
export const isSessionName = (name: string): boolean =>
  frameworkNames.test(withoutPrefix(name)) || sessionWords.test(withoutPrefix(name));

/** Whether a value could be that of a session: nobody can guess it. */
export const isUnguessable = (value: string): boolean => isSigned(value) || isRandom(value);

/** JWT, Express (s:id.signature), Django and Flask (payload.time.signature), Rails and Laravel (base64 with a MAC). */
function isSigned(value: string): boolean {
  const text = decoded(value);
  return (
    /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text) ||
    /^s:[\w-]{16,}\.[\w+/=-]{27,}$/.test(text) ||
    /^[\w-]{8,}[.:][\w-]{5,}[.:][\w-]{27,}$/.test(text) ||
    /^[\w+/=]{20,}--[0-9a-f]{40,}$/i.test(text) ||
    /^eyJpdiI6/.test(text)
  );
}

/** OWASP asks for 64 bits of a session identifier; what has fewer is not distinguished from an ordinary word. */
const minBits = 64;
const isRandom = (value: string): boolean => {
  const text = decoded(value);
  const isMixed = /\d/.test(text) && (/[a-z]/i.test(text) || text.length >= 20);
  return isMixed && /^[\w+/=.~:%|-]{16,}$/.test(text) && shannonBits(text) >= minBits;
};

/** Some servers put the value in quotation marks, which browsers take for a part of it. */
const decoded = (value: string): string => percentDecodedOrSame(value.replace(/^"(.*)"$/s, '$1'));
