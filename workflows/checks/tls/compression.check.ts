import { claim, type Step } from '../../model/experiment.ts';
import type { HelloVersion, TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { type Keys, keysFor } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

type Compressed = TlsServer & { keys: Keys; version: HelloVersion; suites: string[] };

/** A server compresses what it encrypts. Source: RFC 9325 §3.3, CVE-2012-4929. */
export const compression = defineCheck<Compressed>({
  id: 'tls.compression',
  title: 'TLS compression enabled (CRIME)',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeLooks(context, (look) => {
      const newest = look.versions.findLast(({ version }) => version !== 'TLSv1.3');
      if (!look.compresses || !newest) return undefined;
      const suites = newest.suites.map(({ name }) => name);
      return {
        detail: 'The server agrees to compress by DEFLATE.',
        data: { keys: keysFor(look), version: newest.version, suites },
      };
    }),

  confirm: (_context, { data }) =>
    data && {
      steps: [offer(data, ['deflate', 'null'], 'The server chooses compression for a client that offers it.')],
      control: [offer(data, ['null'], 'A client that cannot is not.')],
    },

  explain: {
    description:
      'The server compresses what is sent before it encrypts it (RFC 3749). The length of what is encrypted then reveals how much of it is alike. TLS 1.3 has no compression, and RFC 9325 advises against it in older versions.',
    impact:
      "Somebody who can see the lengths of a visitor's connections and makes their browser send requests with guesses in them finds out a session cookie character by character (CRIME). Browsers no longer offer compression, so it is old ones and other programs that are exposed.",
    sends: 'ClientHello messages to each TLS server of the host, with and without DEFLATE; no HTTP.',
    proves:
      'The server chooses DEFLATE when it is offered, and not when it is not. Shows a configuration; no secret was computed.',
    remedy:
      'Switch it off. Apache: `SSLCompression off` (default since 2.4.4). nginx has it off since 1.3.2 with OpenSSL 1.0.0 or later. OpenSSL: SSL_OP_NO_COMPRESSION, default since 1.1.0. What is compressed by HTTP (`Content-Encoding`) is another matter. Better still, update the TLS library: one that can compress is older than 2016.',
    references: [
      'RFC 9325 §3.3: https://www.rfc-editor.org/rfc/rfc9325#section-3.3',
      'CVE-2012-4929 (CRIME): https://nvd.nist.gov/vuln/detail/CVE-2012-4929',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
    ],
  },
});

const offer = ({ host, port, version, suites, keys }: Compressed, compressions: string[], note: string): Step => ({
  hello: { host, port, versions: [version], suites, compressions, ...keys },
  note,
  expect: [claim('hello:compression', 'equals', 'deflate')],
});
