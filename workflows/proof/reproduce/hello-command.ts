import type { Assertion, HelloAction } from '../../model/experiment.ts';
import type { HelloAnswer, TlsServer } from '../../model/tls-hello.ts';
import { shellWord } from '../shell.ts';
import { rowOf } from '../subjects.ts';

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
  const [known] = claims.flatMap(({ subject }) => rowOf(subject)?.row.openssl ?? []);
  if (known && version !== 'SSLv3' && version !== '') {
    const address = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
    const isName = serverName !== '' && !/^[\d.]+$|:/.test(serverName);
    const name = isName ? `-servername ${shellWord(serverName)}` : '-noservername';
    return `openssl s_client -connect ${shellWord(address)} ${name} -min_protocol ${version} -max_protocol ${version} ${known.options} </dev/null 2>&1 | grep -i ${shellWord(known.line)}`;
  }
  return `bash -c ${shellWord(`${said({ host, port }, sent, 100)} | sed -E '${inWords}'; echo`)}`;
}

/** Longer chains are cut there. */
const maxChainBytes = 65_536;

/**
 * Takes the handshake out of its records (RFC 5246 §6.2.1), goes to the Certificate message in it (§7.4.2), and has OpenSSL
 * read its certificates. Numbers are those of hexadecimal digits.
 */
const certificatesInWords = [
  `M=; while [ "\${H:0:2}" = 16 ]; do N=$((0x\${H:6:4}*2)); M=$M\${H:10:N}; H=\${H:10+N}; done`,
  `while [ \${#M} -gt 14 ] && [ "\${M:0:2}" != 0b ]; do N=$((0x\${M:2:6}*2)); M=\${M:8+N}; done`,
  `[ \${#M} -gt 14 ] || { echo "no certificate"; exit 1; }`,
  `N=$((0x\${M:8:6}*2)); C=\${M:14:N}`,
  [
    `while [ \${#C} -gt 6 ]; do N=$((0x\${C:0:6}*2))`,
    `printf "$(sed "s/../\\\\\\\\x&/g" <<<"\${C:6:N}")" | openssl x509 -inform DER -noout -text | grep -E "Issuer:|Not |Subject:|Public-Key:|Signature Algorithm:|DNS:|IP Address:"`,
    `C=\${C:6+N}; echo; done`,
  ].join('; '),
].join('; ');

/**
 * A command that shows the certificates of a server that OpenSSL cannot finish a handshake with: they come in the clear.
 * @param sent the ClientHello that it answers with them, in a version below TLS 1.3
 */
export const certificatesCommand = (server: TlsServer, sent: Uint8Array): string =>
  `bash -c ${shellWord(`H=$(${said(server, sent, maxChainBytes)}); ${certificatesInWords}`)}`;

/** What a server says to these bytes, as hexadecimal digits. */
const said = ({ host, port }: TlsServer, sent: Uint8Array, maxBytes: number): string =>
  [
    `exec 3<>${shellWord(`/dev/tcp/${host.replace(/^\[|\]$/g, '')}/${port}`)}`,
    `printf '${escaped(sent)}${goodbye}' >&3`,
    `timeout 5 cat <&3 | head -c ${maxBytes} | od -An -v -tx1 | tr -d ' \\n'`,
  ].join('; ');

const escaped = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
