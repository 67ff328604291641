import { printfFormat, shellWord } from '../shell.ts';
import { type CommandText, literalOf, wordOf } from './text.ts';

type FramedFields = readonly (readonly [name: string, value: CommandText])[];
type Framed = { method: string; url: CommandText; headers: FramedFields; body?: CommandText };

/** The request says by itself how long its body is, which no client sends as it stands. */
export const isFramedText = ({ headers, body }: Framed): boolean =>
  body !== undefined && headers.some(([name]) => name.toLowerCase() === 'content-length');

/** Seconds that the connection is kept open for an answer. */
const patience = 6;

/** Writes the bytes of such a request onto a connection, and shows what comes back. */
export function framedCommand(request: Framed, scopeHeaders: FramedFields = []): string {
  const { method, url, headers, body = [] } = request;
  const { protocol, host, hostname, port, pathname, search } = new URL(literalOf(url));
  const lines = [
    shellWord(`${method} ${pathname}${search} HTTP/1.1`),
    shellWord(`Host: ${host}`),
    ...[...scopeHeaders, ...headers].map(([name, value]) => wordOf([`${name}: `, ...value])),
    "''",
  ];
  const isSecure = protocol === 'https:';
  const place = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  const client = isSecure
    ? `openssl s_client -quiet -connect ${shellWord(place)}${hostname.includes(':') ? '' : ` -servername ${shellWord(hostname)}`}`
    : `curl -sS ${shellWord(`telnet://${place}`)}`;
  const bytes = `printf ${shellWord(printfFormat(literalOf(body)))}`;
  return `(printf '%s\\r\\n' ${lines.join(' ')}; ${bytes}; sleep ${patience}) | ${client}`;
}
