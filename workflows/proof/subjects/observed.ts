import type { BrowserResult } from '../../model/browser.ts';
import type { Callback } from '../../model/callbacks.ts';
import type { DnsReply } from '../../model/dns.ts';
import type { Exchange } from '../../model/http.ts';
import type { SmtpLook } from '../../model/smtp.ts';
import type { TlsHandshake } from '../../model/tls.ts';
import type { HelloAnswer } from '../../model/tls-hello.ts';

/** What an action of a step brought back. */
export type Observed =
  | { kind: 'http'; exchange: Exchange }
  /** Asked for, connected to, and silent for this long. */
  | { kind: 'no-http'; waitedMs: number; message: string }
  | { kind: 'tls'; handshake: TlsHandshake }
  | { kind: 'no-tls'; code: 'unreachable' | 'tls_failed'; message: string }
  | { kind: 'hello'; answer: HelloAnswer }
  | { kind: 'dns'; reply: DnsReply }
  | { kind: 'smtp'; look: SmtpLook }
  | { kind: 'browser'; result: BrowserResult }
  | { kind: 'callback'; callbacks: readonly Callback[] };

/** A claim names a subject that its step's kind of action does not have: a mistake of the check, not of the target. */
export class UnknownSubject extends Error {
  override name = 'UnknownSubject';
}
