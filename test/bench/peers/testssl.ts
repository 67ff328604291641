import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { reportOf } from './execute.ts';
import { debianPackages } from './install.ts';
import type { Claim, Target, Tool } from './types.ts';

const Report = z.array(z.object({ id: z.string(), severity: z.string(), finding: z.string() }));

/** Its names for what the truth lists. */
const words: Record<string, string> = {
  TLS1: 'protocol TLS 1.0',
  TLS1_1: 'protocol TLS 1.1',
  cipherlist_NULL: 'suites without encryption',
  PFS: 'no forward secrecy',
  FS: 'no forward secrecy',
  LOGJAM: 'Diffie-Hellman of 1024 bits',
  'LOGJAM-common_primes': 'Diffie-Hellman of 1024 bits',
  DH_groups: 'Diffie-Hellman of 1024 bits',
  cert_expirationStatus: 'certificate expired',
  cert_notAfter: 'certificate expired',
  cert_chain_of_trust: 'certificate untrusted',
};
const informational = ['OK', 'INFO', 'WARN', 'DEBUG'];

/** Protocols, kinds of suites, forward secrecy, the certificate and short primes: what the truth is about. The rest takes minutes. */
const looks = ['-p', '-s', '-f', '-S', '-J'];

export async function testssl(caFile: string, env: NodeJS.ProcessEnv): Promise<Tool> {
  const root = await debianPackages(['testssl.sh'], env);
  // It insists on a resolver's program, although the address is given.
  const resolver = join(root, 'usr/bin/nslookup');
  await writeFile(resolver, '#!/bin/sh\nexit 0\n');
  await chmod(resolver, 0o755);
  const own = {
    ...env,
    PATH: `${env.PATH}:${join(root, 'usr/bin')}`,
    TESTSSL_INSTALL_DIR: join(root, 'etc/testssl'),
  };
  return {
    name: 'testssl.sh',
    kinds: ['tls'],
    limits: `asked for ${looks.join(' ')} alone.`,
    async run({ url }: Target) {
      const args = (file: string) => [
        ...[join(root, 'usr/bin/testssl'), '--quiet', '--color', '0', '--warnings', 'off', '--ip', '127.0.0.1'],
        ...looks,
        ...['--add-ca', caFile, '--jsonfile', file, url],
      ];
      const findings = Report.parse(JSON.parse(await reportOf('bash', args, own)));
      return findings.map(({ id, severity, finding }): Claim => {
        const [name = ''] = id.split(' ');
        const isInformational = informational.includes(severity);
        // It has a line for each look, whatever it saw.
        return { weakness: isInformational ? undefined : words[name], text: `${id}: ${finding}`, isInformational };
      });
    },
  };
}
