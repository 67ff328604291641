import type { ForgedToken } from '../../model/experiment.ts';
import { shellWord } from '../shell.ts';
import type { Names } from './names.ts';
import type { ShellSession } from './shell-sessions.ts';
import { comment, expressionOf, type Reference } from './text.ts';

/** base64url without padding (RFC 7515 §2), from and to what base64(1) knows. */
const toUrl = "base64 | tr '/+' '_-' | tr -d '=\\n'";
const fromUrl = "tr '_-' '/+' | base64 -d 2>/dev/null";

/** Lines that make such a token out of one that the session has, with the key that the reader knows. */
export function tokenLines(
  forged: ForgedToken,
  session: ShellSession,
  headerIndex: number,
  names: Names,
): { lines: string[]; reference: Reference } {
  const lines: string[] = [];
  const set = (name: string, command: string): Reference => {
    const variable = names(name);
    lines.push(`${variable}=$(${command})`);
    return { variable };
  };
  const print = (reference: Reference) => `printf %s "${expressionOf(reference)}"`;
  const own =
    forged.carrier.in === 'cookie'
      ? set('TOKEN', session.printCookie(forged.carrier.name) + withoutPrefix(forged.carrier.prefix))
      : (session.header(headerIndex) ?? { variable: names('TOKEN') });
  const header =
    forged.header === undefined
      ? expressionOf(set('HEADER', `${print(own)} | cut -d. -f1`))
      : Buffer.from(forged.header).toString('base64url');
  const changes = (forged.claims ?? []).map(changeOf).join('; ');
  const changed = changes === '' ? '' : ` | ${fromUrl} | sed -E ${shellWord(changes)} | ${toUrl}`;
  const claims = set('CLAIMS', `${print(own)} | cut -d. -f2${changed}`);
  const signed = names('SIGNED');
  lines.push(`${signed}="${header}.${expressionOf(claims)}"`);
  const signature = signatureOf(forged, { variable: signed });
  const token = names('FORGED');
  if (signature === undefined)
    return { lines: [...lines, `${token}="${expressionOf({ variable: signed })}."`], reference: { variable: token } };
  const value = set('SIGNATURE', signature.command);
  return {
    lines: [...signature.comments, ...lines, `${token}="${expressionOf({ variable: signed })}.${expressionOf(value)}"`],
    reference: { variable: token },
  };
}

const withoutPrefix = (prefix = ''): string => (prefix === '' ? '' : ` | sed -E ${shellWord(`s/^${posix(prefix)}//`)}`);

/** A claim that is there gets another value; one that is not comes last. */
function changeOf({ name, from, to }: NonNullable<ForgedToken['claims']>[number]): string {
  const member = `${JSON.stringify(name)}:${to}`;
  if (from === undefined) return `s/}$/,${replacement(member)}}/`;
  return `s/${posix(JSON.stringify(name))} *: *${posix(from)}/${replacement(member)}/`;
}

const posix = (text: string): string => text.replace(/[\\.^$*+?(){|[/]/g, '\\$&');
const replacement = (text: string): string => text.replace(/[\\&/]/g, '\\$&');

function signatureOf(
  { signature }: ForgedToken,
  signed: Reference,
): { command: string; comments: string[] } | undefined {
  if (signature === 'none') return undefined;
  if (signature === 'random') return { command: `openssl rand 32 | ${toUrl}`, comments: [] };
  const key = expressionOf({ variable: 'SIGNING_KEY' });
  const options = {
    text: `-hmac "${key}"`,
    hex: `-mac HMAC -macopt "hexkey:${key}"`,
    base64: `-mac HMAC -macopt "hexkey:$(printf %s "${key}" | base64 -d | od -An -tx1 | tr -d ' \\n')"`,
  }[signature.key];
  const command = `printf %s "${expressionOf(signed)}" | openssl dgst -${signature.hash} ${options} -binary | ${toUrl}`;
  return { command, comments: [comment('Set SIGNING_KEY to the key that signs the tokens of the site.')] };
}
