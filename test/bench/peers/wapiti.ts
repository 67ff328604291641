import { join } from 'node:path';
import { z } from 'zod';
import { identities } from '../../../dev/demo/identities.ts';
import { reportOf } from './execute.ts';
import { pythonPrograms } from './install.ts';
import type { Claim, Target, TargetKind, Tool } from './types.ts';

const Found = z.array(
  z.object({ path: z.string(), parameter: z.string().nullish(), info: z.string(), level: z.number() }),
);
const Report = z.object({ vulnerabilities: z.record(z.string(), Found) });

const headerWords: Record<string, string> = {
  'HTTP Strict Transport Security (HSTS)': 'no HSTS',
  'Content Security Policy Configuration': 'no Content-Security-Policy',
  'Clickjacking Protection': 'framing allowed',
  'MIME Type Confusion': 'types guessed',
  'Secure Flag cookie': 'cookie without Secure',
  'HttpOnly Flag cookie': 'cookie readable by script',
  'Unencrypted Channels': 'no redirect to HTTPS',
};
const shopWords: Record<string, string> = {
  'HTTP Strict Transport Security (HSTS)': 'noStrictTransport',
  'Content Security Policy Configuration': 'inlineScriptsAllowed',
  'Clickjacking Protection': 'framingAllowed',
  'MIME Type Confusion': 'typesGuessed',
  'Secure Flag cookie': 'cookieWithoutSecure',
  'HttpOnly Flag cookie': 'cookieReadableByScript',
  'Backup file': 'backupServed',
  'Cross Site Request Forgery': 'profileWithoutToken',
  'Path Traversal': 'guideByPath',
  'Open Redirect': 'anyRedirectTarget',
  'Reflected Cross Site Scripting': 'searchTermUnescaped',
  'Information Disclosure - Full Path': 'stackTraces',
};

/** It then ends what it is at, and reports what it has. */
const maxScanSeconds = 300;

/** It logs in to the shop as a customer. */
export async function wapiti(env: NodeJS.ProcessEnv): Promise<Tool> {
  const command = join(await pythonPrograms('requirements-wapiti.txt', env), 'wapiti');
  const own = { ...env, PYTHONPATH: join(import.meta.dirname, 'resolver'), PYTHONDONTWRITEBYTECODE: '1' };
  return {
    name: 'wapiti',
    kinds: ['headers', 'shop'],
    limits: `limited to ${maxScanSeconds} s.`,
    async run({ url, kind }: Target) {
      const { email, password } = identities.a;
      const login = ['--form-cred', `${email}%${password}`, '--form-url', new URL('/login', url).href];
      const args = (file: string) => [
        ...['--url', url, '--scope', 'domain', '--verify-ssl', '0', '--flush-session', '--no-bugreport'],
        ...['--max-scan-time', String(maxScanSeconds)],
        ...['--format', 'json', '--output', file, '--verbose', '0', ...(kind === 'shop' ? login : [])],
      ];
      const { vulnerabilities } = Report.parse(JSON.parse(await reportOf(command, args, own)));
      return Object.entries(vulnerabilities).flatMap(([category, found]) =>
        found.map(({ path, parameter, info, level }): Claim => {
          const weakness = wordFor(kind, category, parameter ?? '');
          return { weakness, text: `${category} at ${path}: ${info}`, isInformational: level === 0 };
        }),
      );
    },
  };
}

function wordFor(kind: TargetKind, category: string, parameter: string): string | undefined {
  if (kind === 'headers') return headerWords[category];
  if (/SQL Injection/.test(category)) return parameter === 'q' ? 'searchTermInStatement' : 'categoryInStatement';
  return shopWords[category];
}
