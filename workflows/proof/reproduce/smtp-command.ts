import { shellWord } from '../shell.ts';

/** The greeting of a mail server and, where it offers that, the handshake, by OpenSSL. */
export const smtpCommand = (host: string, port: number): string =>
  `openssl s_client -starttls smtp -connect ${shellWord(`${host.includes(':') ? `[${host}]` : host}:${port}`)} </dev/null`;
