import { join } from 'node:path';
import { z } from 'zod';
import { reportOf } from './execute.ts';
import { pythonPrograms } from './install.ts';
import type { Claim, Target, Tool } from './types.ts';

const Suites = z.object({
  result: z
    .object({
      accepted_cipher_suites: z.array(
        z.object({
          cipher_suite: z.object({ name: z.string() }),
          ephemeral_key: z.object({ type_name: z.string(), size: z.number() }).nullable(),
        }),
      ),
    })
    .nullable(),
});
const Certificates = z.object({
  certificate_deployments: z.array(
    z.object({
      received_certificate_chain: z.array(z.object({ not_valid_after: z.string() })),
      path_validation_results: z.array(
        z.object({ trust_store: z.object({ name: z.string() }), was_validation_successful: z.boolean() }),
      ),
    }),
  ),
});
const Report = z.object({
  server_scan_results: z.array(
    z.object({
      scan_result: z.object({
        ssl_2_0_cipher_suites: Suites,
        ssl_3_0_cipher_suites: Suites,
        tls_1_0_cipher_suites: Suites,
        tls_1_1_cipher_suites: Suites,
        tls_1_2_cipher_suites: Suites,
        certificate_info: z.object({ result: Certificates.nullable() }),
      }),
    }),
  ),
});
type Result = z.infer<typeof Report>['server_scan_results'][number]['scan_result'];

const looks = [
  ...['certinfo', 'sslv2', 'sslv3', 'tlsv1', 'tlsv1_1', 'tlsv1_2', 'tlsv1_3', 'elliptic_curves', 'compression'],
  ...['reneg', 'heartbleed', 'robot', 'openssl_ccs', 'fallback', 'early_data'],
].map((name) => `--${name}`);

/** sslyze reports facts; what they mean is read as its own compliance profile reads them. */
export async function sslyze(caFile: string, env: NodeJS.ProcessEnv): Promise<Tool> {
  const command = join(await pythonPrograms('requirements-sslyze.txt', env), 'sslyze');
  return {
    name: 'sslyze',
    kinds: ['tls'],
    async run({ host, port }: Target) {
      const args = (file: string) => [
        ...['--json_out', file, '--mozilla_config', 'disable', ...looks, '--certinfo_ca_file', caFile],
        `${host}:${port}{127.0.0.1}`,
      ];
      const { server_scan_results } = Report.parse(JSON.parse(await reportOf(command, args, env)));
      return server_scan_results.flatMap(({ scan_result }) => claimsOf(scan_result));
    },
  };
}

function claimsOf(result: Result): Claim[] {
  const suites = (of: z.infer<typeof Suites>) => of.result?.accepted_cipher_suites ?? [];
  const is = (holds: boolean, weakness: string): Claim[] =>
    holds ? [{ weakness, text: weakness, isInformational: false }] : [];
  const all = suites(result.tls_1_2_cipher_suites);
  const [deployment] = result.certificate_info.result?.certificate_deployments ?? [];
  const isExpired = Date.parse(deployment?.received_certificate_chain[0]?.not_valid_after ?? '') < Date.now();
  const isTrusted = deployment?.path_validation_results.some((each) => each.was_validation_successful) ?? true;
  return [
    ...is(suites(result.tls_1_0_cipher_suites).length > 0, 'protocol TLS 1.0'),
    ...is(suites(result.tls_1_1_cipher_suites).length > 0, 'protocol TLS 1.1'),
    ...is(
      all.some(({ cipher_suite }) => cipher_suite.name.includes('_NULL_')),
      'suites without encryption',
    ),
    ...is(all.length > 0 && all.every(({ ephemeral_key }) => ephemeral_key === null), 'no forward secrecy'),
    ...is(
      all.some(({ ephemeral_key }) => ephemeral_key?.type_name === 'DH' && ephemeral_key.size < 2048),
      'Diffie-Hellman of 1024 bits',
    ),
    ...is(isExpired, 'certificate expired'),
    ...is(!isTrusted, 'certificate untrusted'),
  ];
}
