import { join } from 'node:path';
import { reportOf } from './execute.ts';
import { debianPackages } from './install.ts';
import type { Claim, Target, Tool } from './types.ts';

/** What its XML says when a weakness is there. It verifies no chain, so a certificate is untrusted when it signs itself. */
const signs: [pattern: RegExp, weakness: string][] = [
  [/<protocol type="tls" version="1\.0" enabled="1"/, 'protocol TLS 1.0'],
  [/<protocol type="tls" version="1\.1" enabled="1"/, 'protocol TLS 1.1'],
  [/<cipher [^>]*strength="null"/, 'suites without encryption'],
  [/<cipher [^>]*dhebits="(?:512|768|1024)"/, 'Diffie-Hellman of 1024 bits'],
  [/<expired>true<\/expired>/, 'certificate expired'],
  [/<self-signed>true<\/self-signed>/, 'certificate untrusted'],
];

export async function sslscan(env: NodeJS.ProcessEnv): Promise<Tool> {
  const command = join(await debianPackages(['sslscan'], env), 'usr/bin/sslscan');
  return {
    name: 'sslscan',
    kinds: ['tls'],
    async run({ host, port }: Target) {
      const args = (file: string) => [`--xml=${file}`, `--sni-name=${host}`, `127.0.0.1:${port}`];
      const xml = await reportOf(command, args, env);
      return signs.flatMap(([pattern, weakness]): Claim[] =>
        pattern.test(xml) ? [{ weakness, text: weakness, isInformational: false }] : [],
      );
    },
  };
}
