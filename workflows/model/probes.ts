import type { BrowserProbe } from './browser.ts';
import type { CallbackProbe } from './callbacks.ts';
import type { DnsProbe } from './dns.ts';
import type { HttpProbe } from './http.ts';
import type { Quiet } from './quiet.ts';
import type { SmtpProbe } from './smtp.ts';
import type { TlsProbe } from './tls.ts';

export type Probes = {
  http: HttpProbe;
  tls: TlsProbe;
  dns: DnsProbe;
  smtp: SmtpProbe;
  browser: BrowserProbe;
  quiet: Quiet;
  /** Hears callbacks; not there where the installation has no listener for them. */
  callbacks?: CallbackProbe;
};
