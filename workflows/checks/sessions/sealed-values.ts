import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Candidate } from '../../model/candidate.ts';
import type { HttpAction } from '../../model/experiment.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { isOtherThan } from '../decisions/answer-kinds.ts';
import { answerTo } from '../decisions/opened-page.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { cookieAnswers } from './find-sessions.ts';
import { hasOtherPurpose } from './session-cookie.ts';
import { parseSetCookie } from './set-cookie.ts';

/** Bytes that nobody can read, which the site gives to a client and takes back: something encrypted, or an identifier. */
export type SealedValue = {
  bytes: Buffer;
  location: Candidate['location'];
  route: string;
  /** The request that brings other bytes back, in the same encoding. @param url a page of a cookie; where it was given by default */
  send(bytes: Buffer, url?: string): HttpAction;
};

type Codec = { bytes: Buffer; write(bytes: Buffer): string };

const minBytes = 16;
const maxBytes = 512;
/** Of something encrypted about a third of the bytes are characters. */
const maxReadable = 0.75;

/** How a text in hex or base64 is read and written; undefined when it says something that can be read, or is no such text. */
export function sealedText(text: string): Codec | undefined {
  const quoted = /^"(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return around(sealedText(quoted), (value) => `"${value}"`);
  const decoded = percentDecodedOrSame(text);
  if (decoded !== text) return around(sealedText(decoded), encodeURIComponent);
  const codec = /^(?:[0-9a-f]{2}){16,}$/i.test(text) ? inHex(text) : inBase64(text);
  if (!codec || codec.bytes.length < minBytes || codec.bytes.length > maxBytes) return undefined;
  const readable = codec.bytes.filter((byte) => byte >= 0x20 && byte < 0x7f).length;
  return codec.write(codec.bytes) === text && readable / codec.bytes.length < maxReadable ? codec : undefined;
}

const around = (codec: Codec | undefined, wrap: (text: string) => string): Codec | undefined =>
  codec && { bytes: codec.bytes, write: (bytes) => wrap(codec.write(bytes)) };

function inHex(text: string): Codec {
  const isUpper = text === text.toUpperCase();
  const write = (bytes: Buffer): string => (isUpper ? bytes.toString('hex').toUpperCase() : bytes.toString('hex'));
  return { bytes: Buffer.from(text, 'hex'), write };
}

function inBase64(text: string): Codec | undefined {
  if (!/^[\w+/-]{22,700}={0,2}$/.test(text)) return undefined;
  const isUrl = /[-_]/.test(text) || (!/[+/=]/.test(text) && text.length % 4 !== 0);
  const write = (bytes: Buffer): string => {
    const written = bytes.toString(isUrl ? 'base64url' : 'base64');
    return isUrl && text.endsWith('=') ? written.padEnd(Math.ceil(written.length / 4) * 4, '=') : written;
  };
  return { bytes: Buffer.from(text, 'base64'), write };
}

/** Cookies of the session that looks, but for those that are left to others, or those that pages gave to anybody; each name once. */
export function sealedCookies({ surface, visitor, identities }: CheckContext): SealedValue[] {
  const identity = visitor === undefined ? undefined : identities[visitor];
  const given = identity
    ? identity.jar
        .all()
        .filter(({ name }) => !surface.heldCookies?.includes(name))
        .map(({ name, value }) => ({ name, value, url: identity.checkUrl }))
    : visitor === undefined
      ? cookieAnswers(surface).flatMap(({ url, setCookies }) =>
          setCookies.flatMap((line) => {
            const cookie = parseSetCookie(line);
            return cookie ? [{ ...cookie, url }] : [];
          }),
        )
      : [];
  const byName = new Map(given.toReversed().map((each) => [each.name, each]));
  return [...byName.values()].flatMap(({ name, value, url }): SealedValue[] => {
    const codec = hasOtherPurpose(name) ? undefined : sealedText(value);
    if (!codec) return [];
    return [
      {
        bytes: codec.bytes,
        location: { url, method: 'GET', parameter: name, parameterIn: 'cookie' },
        route: '/',
        send: (bytes, page = url) => {
          const own = codec.write(bytes);
          return { url: page, headers: [['Cookie', `${name}=${own}`]], secrets: [own] };
        },
      },
    ];
  });
}

const maxPages = 4;

/**
 * A cookie as the page takes it that reads it: the first that answers it otherwise than other bytes, of the page that
 * gave it and one of each other route. A parameter is read where it is sent.
 * @throws ProbeError
 */
export async function asRead(context: CheckContext, value: SealedValue): Promise<SealedValue | undefined> {
  if (value.location.parameterIn !== 'cookie') return value;
  const others = context.surface.pages
    .filter(
      ({ url, status, contentType }) => url !== value.location.url && status < 500 && /html|json/.test(contentType),
    )
    .toSorted((a, b) => b.status - a.status);
  const urls = new Map([value.location.url, ...others.map(({ url }) => url)].map((url) => [partRoute(url), url]));
  if (urls.size === 1) return value;
  const { bytes, send } = value;
  for (const url of likeliest(context, [...urls.values()], maxPages, 'pages that may read an encrypted cookie')) {
    const ask = (sent: Buffer) => answerTo(context, send(sent, url));
    const [one, other] = [await ask(othersLike(bytes, 0x5b)), await ask(othersLike(bytes, 0xb4))];
    const own = one && other && (await ask(bytes));
    if (own && isOtherThan([one, other])?.(own))
      return { ...value, location: { ...value.location, url }, send: (sent, page = url) => send(sent, page) };
  }
  return undefined;
}

/** Parameters of addresses that pages link to. */
export function sealedParameters({ surface }: Pick<CheckContext, 'surface'>): SealedValue[] {
  return inputsToProbe(surface).flatMap((input): SealedValue[] => {
    const { url, method, parameter, in: place, sample, route } = input;
    const codec = method === 'GET' && place === 'query' ? sealedText(sample) : undefined;
    if (!codec || /csrf|xsrf|nonce|verification/i.test(parameter)) return [];
    return [
      {
        bytes: codec.bytes,
        location: { url, method, parameter, parameterIn: place },
        route,
        send: (bytes) => inputAction(input, codec.write(bytes)),
      },
    ];
  });
}

/** Other bytes of that length, the same ones each time. */
export const othersLike = (bytes: Buffer, mask: number): Buffer =>
  Buffer.from(bytes.map((byte, place) => byte ^ mask ^ place));

/** A copy with one byte changed. @param place counted from the end when negative */
export function withChanged(bytes: Buffer, place: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = place < 0 ? copy.length + place : place;
  copy[index] = (copy[index] ?? 0) ^ mask;
  return copy;
}
