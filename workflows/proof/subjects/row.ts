import type { Observed } from './observed.ts';
import type { ShellView } from './views.ts';

/**
 * How the evidence keeps a value:
 * - `value`: as a short field, without what is secret; the default
 * - `header`, `cookie`: the same, by the rules for a header of the subject's name, or for a Set-Cookie line
 * - `excerpt`: the part of it that decides the claim, and a little around it
 * - `matched`: no more than what the claims match
 * - `nowhere`
 */
type Keeping = 'value' | 'header' | 'cookie' | 'excerpt' | 'matched' | 'nowhere';

/** What has to be requested of the instrument beforehand for a subject to be there. */
export type Need = 'large-body' | 'session-ticket' | 'staple' | 'failure' | 'dnssec' | 'quiet' | 'silence';

/** Where a reader's shell takes a captured value from; the body, where a row says nothing. */
type CaptureSource = 'pattern-in-body' | 'head' | 'set-cookie' | 'form-field' | 'json-member' | 'session-cookies';

type ObservedKind = 'http' | 'tls' | 'hello' | 'dns' | 'smtp' | 'browser' | 'callback';

type Row<K extends ObservedKind, O> = {
  of: K;
  /** What the value is, for who writes a check. */
  meaning: string;
  /** @param rest what stands behind the fixed part of the subject @throws UnknownSubject */
  read(observed: O, rest: string): string | undefined;
  /** What may stand there; at least one character by default. */
  rest?: RegExp;
  keeping?: Keeping;
  need?: Need;
  source?: CaptureSource;
  /** How a terminal shows the body that the value was read from; as it is by default. */
  view?: (body: Uint8Array, rest: string) => ShellView;
  /** What OpenSSL says it with. */
  openssl?: { options: string; line: string };
};

type RowOptions<R> = Partial<Omit<R, 'of' | 'meaning' | 'read'>>;
type Seen<K extends Observed['kind']> = Observed & { kind: K };

type HttpRow = Row<'http', Seen<'http'>['exchange']>;
type TlsRow = Row<'tls', Seen<'tls'>['handshake']>;
type HelloRow = Row<'hello', Seen<'hello'>['answer']>;
type DnsRow = Row<'dns', Seen<'dns'>['reply']>;
type SmtpRow = Row<'smtp', Seen<'smtp'>['look']>;
type BrowserRow = Row<'browser', Seen<'browser'>['result']>;

type CallbackRow = Row<'callback', Seen<'callback'>['callbacks']>;

export type SubjectRow = HttpRow | TlsRow | HelloRow | DnsRow | SmtpRow | BrowserRow | CallbackRow;

/** Short forms for the table. */
export const http = (meaning: string, read: HttpRow['read'], more: RowOptions<HttpRow> = {}): HttpRow => ({
  ...{ of: 'http', meaning, read },
  ...more,
});
export const tls = (meaning: string, read: TlsRow['read'], more: RowOptions<TlsRow> = {}): TlsRow => ({
  ...{ of: 'tls', meaning, read },
  ...more,
});
export const hello = (meaning: string, read: HelloRow['read'], more: RowOptions<HelloRow> = {}): HelloRow => ({
  ...{ of: 'hello', meaning, read },
  ...more,
});
export const dns = (meaning: string, read: DnsRow['read'], more: RowOptions<DnsRow> = {}): DnsRow => ({
  ...{ of: 'dns', meaning, read },
  ...more,
});
export const smtp = (meaning: string, read: SmtpRow['read']): SmtpRow => ({ of: 'smtp', meaning, read });
export const browser = (meaning: string, read: BrowserRow['read'], more: RowOptions<BrowserRow> = {}): BrowserRow => ({
  ...{ of: 'browser', meaning, read, source: 'session-cookies' },
  ...more,
});
export const callback = (meaning: string, read: CallbackRow['read']): CallbackRow => ({
  of: 'callback',
  meaning,
  read,
});
