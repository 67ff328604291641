import { randomBytes } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import { decodedText } from '../probe/html/decoded-text.ts';
import { piecesOf } from '../probe/html/page-pieces.ts';
import type { SendRequest } from './origins.ts';

/** What programs read that no page of theirs sends. */
export type Guess = { in: 'query' | 'header'; name: string };

/** As many names that nobody has show what a page does with any. */
const decoys = 5;
const timeoutMs = 8_000;
const maxBodyBytes = 64 * 1024;

export type NameTrial = {
  status: number;
  headers: string;
  text: string;
  /** The word that each name was sent with, those that nobody has first. */
  sent: ReadonlyMap<Guess, string>;
  /** Something that others are served from may keep the answer. */
  isKept: boolean;
};

/** Asks for a page with these names, each with a word of its own, and with names that nobody has. @throws ProbeError */
export async function tryNames(send: SendRequest, url: string, tried: readonly Guess[]): Promise<NameTrial> {
  const strangers = Array.from({ length: decoys }, (): Guess => ({ in: 'query', name: word() }));
  const sent = new Map([...strangers, ...tried].map((guess) => [guess, word()]));
  const address = new URL(url);
  for (const [{ in: place, name }, value] of sent) if (place === 'query') address.searchParams.append(name, odd(value));
  const answer = await send({
    url: address.href,
    headers: [...sent].flatMap(([{ in: place, name }, value]) => (place === 'header' ? [[name, odd(value)]] : [])),
    ...{ timeoutMs, maxBodyBytes },
  });
  return {
    status: answer.status,
    headers: answer.headers.map(([, value]) => value).join('\n'),
    text: decodedText(answer.text),
    sent,
    isKept: passesCache(answer),
  };
}

const word = (): string => `k${randomBytes(3).toString('hex')}`;
const words = /k[0-9a-f]{6}/g;

/** A quote causes an error in most programs that handle it wrongly. */
const odd = (value: string): string => `${value}'`;

/** Somebody else may be given what a header of ours made of the page. */
const passesCache = (answer: Exchange): boolean =>
  ['age', 'x-cache', 'x-cache-hits', 'cf-cache-status', 'cache-status', 'via', 'x-varnish', 'x-served-by'].some(
    (name) => answer.header(name) !== undefined,
  );

/** Names whose words the answer repeats. */
export function echoed({ text, headers, sent }: NameTrial): Guess[] {
  const shown = new Set(`${text}\n${headers}`.match(words));
  return [...sent].filter(([, value]) => shown.has(value)).map(([guess]) => guess);
}

/** Another status, or it lacks what it had. */
export function isOther(usual: NameTrial, other: NameTrial): boolean {
  if (usual.status !== other.status) return true;
  const own = [...usual.sent].flatMap(([{ name }, value]) => [name, value]);
  return piecesOf(usual.text).some((piece) => !other.text.includes(piece) && !own.some((text) => piece.includes(text)));
}
