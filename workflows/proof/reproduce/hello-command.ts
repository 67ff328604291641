import type { HelloAnswer } from '../../probe/tls/hello/types.ts';
import type { Assertion, HelloAction } from '../experiment.ts';
import { shellWord } from '../shell.ts';

/**
 * Bytes of a ServerHello (RFC 5246 §7.4.1.3) or an alert (§7.2) as hexadecimal digits, put into words. Session ids have 32 bytes,
 * or none.
 */
const inWords = [
  's/^15.{8}..(..).*/refused, alert 0x\\1/',
  's/^16.{8}02.{6}(....).{64}(00|20.{64})(....)(..).*/version 0x\\1, cipher suite 0x\\3, compression 0x\\4/',
].join('; ');

/** The alert "close_notify", so that the server does not wait for more. */
const goodbye = '\\x15\\x03\\x01\\x00\\x02\\x01\\x00';

/** OpenSSL says the rest of what a hello shows: everything that its default configuration lacks is asked for. */
const openssl: Record<string, { options: string; line: string }> = {
  'hello:dh-bits': { options: '-cipher kDHE:@SECLEVEL=0', line: 'temp key' },
  'hello:renegotiation': { options: '-cipher ALL:@SECLEVEL=0 -legacy_server_connect', line: 'renegotiation' },
};

/**
 * A command that shows what a ClientHello showed: the very bytes by bash, and the answer in words; OpenSSL for what stands
 * farther on in the answer.
 */
export function helloCommand(
  action: HelloAction,
  { sent, version }: HelloAnswer,
  claims: readonly Assertion[],
): string {
  const { host, port, serverName = host } = action;
  const bare = host.replace(/^\[|\]$/g, '');
  const [known] = claims.flatMap(({ subject }) => openssl[subject] ?? []);
  if (known && version !== 'SSLv3' && version !== '') {
    const address = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
    const isName = serverName !== '' && !/^[\d.]+$|:/.test(serverName);
    const name = isName ? `-servername ${shellWord(serverName)}` : '-noservername';
    return `openssl s_client -connect ${shellWord(address)} ${name} -min_protocol ${version} -max_protocol ${version} ${known.options} </dev/null 2>&1 | grep -i ${shellWord(known.line)}`;
  }
  const script = [
    `exec 3<>${shellWord(`/dev/tcp/${bare}/${port}`)}`,
    `printf '${escaped(sent)}${goodbye}' >&3`,
    `timeout 5 cat <&3 | head -c 100 | od -An -v -tx1 | tr -d ' \\n' | sed -E '${inWords}'`,
    'echo',
  ].join('; ');
  return `bash -c ${shellWord(script)}`;
}

const escaped = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
