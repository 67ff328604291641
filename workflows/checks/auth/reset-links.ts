import { createHash } from 'node:crypto';
import type { CaptureRule, Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { escapePattern } from '../../proof/pattern.ts';

/** A link in an answer that ends in a token: what stands before and behind it, and where the token is read. */
type ResetLink = { before: string; token: string; after: string; capture: CaptureRule };

/** Name of the trial value that a token is kept under. */
export const tokenName = 'resettoken';
const maxTextLength = 200_000;
/** What stands before a token is found again by so much of it. */
const maxContext = 80;

const words = /reset|recover|restore|password|passwd|forgot|token|code|confirm|change/i;
/** What is called so is the token, and not whose it is. */
const tokenWords = /token|code|key|hash|secret|nonce|^(?:t|k|h|tk|sig|otp)$/i;
/** "/reset?token=…", "https://…/password/reset/…", also with slashes escaped as in JSON; "reset.php?key=…" in quotes. */
const link =
  /(?:https?:\\?\/\\?\/[\w.:-]{1,100})?((?:\\?\/[\w.~%@+-]{1,300}){1,7}\\?\/?|(?<==["'])[\w.~-]{1,100}(?=\?))((?:\?[\w.~%@+=&;-]{1,800})?)/gi;
const parameter = /(?<=[?&;])([\w-]{1,40}=)([\w.~%-]{4,300})(?=[&;]|$)/g;
const lastSegment = /(\/)([\w.~%-]{4,300})$/g;

const unescaped = (text: string): string => text.replaceAll('\\/', '/').replaceAll('&amp;', '&');

/** Links on the audited site that an answer has for setting a new password, in its text or as where it leads. */
export function resetLinksIn(exchange: Exchange): ResetLink[] {
  const target = exchange.header('location');
  const texts: [Subject, string][] = [
    ...(target === undefined ? [] : [['header:location', target] as [Subject, string]]),
    ['body', exchange.text.slice(0, maxTextLength)],
  ];
  return texts.flatMap(([subject, text]) =>
    [...text.matchAll(link)].flatMap((match) => {
      const [whole, path = '', query = ''] = match;
      const begin = match.index + whole.length - path.length - query.length;
      return placesOfToken(path + query).map(({ at, token }): ResetLink => {
        const start = begin + at;
        const context = text.slice(Math.max(match.index, start - maxContext), start);
        const pattern = `${escapePattern(context)}([\\w.~%-]{4,300})`;
        const before = new URL(unescaped((path + query).slice(0, at)), exchange.request.url).href;
        const after = unescaped((path + query).slice(at + token.length));
        return { before, token, after, capture: { name: tokenName, subject, pattern, secret: true } };
      });
    }),
  );
}

/** Where a token stands in an address: a value that is called one, or any that it has. */
function placesOfToken(address: string): { at: number; token: string }[] {
  const places = [...address.matchAll(address.includes('?') ? parameter : lastSegment)].flatMap((match) => {
    const [, name = '', token = ''] = match;
    const at = match.index + name.length;
    const isFile = /\.(?:css|js|png|svg|ico|html?|php)$/i.test(token);
    return !isFile && words.test(address.slice(0, at)) ? [{ name: name.slice(0, -1), at, token }] : [];
  });
  const called = places.filter(({ name }) => tokenWords.test(name));
  return called.length > 0 ? called : places;
}

/** The parts of an address that ends in a token: "/reset?token=…", "/password/reset/…". */
export const linkWithToken = (address: string): Pick<ResetLink, 'before' | 'token' | 'after'>[] =>
  placesOfToken(address).map(({ at, token }) => ({
    before: address.slice(0, at),
    token,
    after: address.slice(at + token.length),
  }));

/** A token that an answer in JSON has without a link, and where it is read. */
type BareToken = Pick<ResetLink, 'token' | 'capture'> & { member: string };

const bareToken = /"(\w{0,30}(?:token|reset|code|key)\w{0,30})"\s{0,3}:\s{0,3}"([\w.~-]{6,300})"/gi;

/** Members of an answer in JSON that may be tokens for setting a new password. */
export const bareTokensIn = ({ text }: Exchange): BareToken[] =>
  [...text.slice(0, maxTextLength).matchAll(bareToken)].map(([, member = '', token = '']) => {
    const pattern = `"${escapePattern(member)}"\\s*:\\s*"([\\w.~-]{6,300})"`;
    return { member, token, capture: { name: tokenName, subject: 'body', pattern, secret: true } };
  });

/** A token that anybody makes of a name, and how. */
type MadeToken = { how: string; make(name: string): string };

const digestOf =
  (algorithm: 'md5' | 'sha1' | 'sha256') =>
  (name: string): string =>
    createHash(algorithm).update(name).digest('hex');

export const madeTokens: readonly MadeToken[] = [
  { how: 'the MD5 digest of the name', make: digestOf('md5') },
  { how: 'the SHA-1 digest of the name', make: digestOf('sha1') },
  { how: 'the SHA-256 digest of the name', make: digestOf('sha256') },
  { how: 'the name in base64', make: (name) => Buffer.from(name).toString('base64') },
  { how: 'the name in hexadecimal digits', make: (name) => Buffer.from(name).toString('hex') },
];

/** Where sites have the page for a new password, with what stands before the token. */
const usualPages = [
  '/reset?token=',
  '/reset-password?token=',
  '/reset_password?token=',
  '/password-reset?token=',
  '/password/reset?token=',
  '/resetpassword?token=',
  '/reset/',
  '/reset-password/',
  '/reset_password/',
  '/password/reset/',
  '/reset.php?token=',
  '/reset_password.php?token=',
] as const;

/** What the page that asks for a new password is called, and the one that sets it is not. */
const asking = /forgot(?:ten)?|lost|recover/i;

/** The page beside the one that asks, by its name and with that of the account: "/resetpw?login=ann&token=" for "/forgotpw"; and usual ones. */
export function likelyPages({ url, parameter }: { url: string; parameter: string }, name: string): string[] {
  const { origin, pathname } = new URL(url);
  const usual = usualPages.map((path) => origin + path);
  if (!asking.test(pathname)) return usual;
  const account = `${encodeURIComponent(parameter)}=${encodeURIComponent(name)}`;
  return [`${origin}${pathname.replace(asking, 'reset')}?${account}&token=`, ...usual];
}
