import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Claim, Target, Tool } from './types.ts';

const Opinions = z.record(z.string(), z.object({ pass: z.boolean(), result: z.string() }));

/** The weaknesses that each of its tests is about, by its name or by what it answers. */
const words: Record<string, string[]> = {
  'strict-transport-security': ['no HSTS'],
  'content-security-policy': ['no Content-Security-Policy'],
  'x-frame-options': ['framing allowed'],
  'x-content-type-options': ['types guessed'],
  'referrer-policy': ['no Referrer-Policy'],
  redirection: ['no redirect to HTTPS'],
};

/** It has one verdict on all cookies, the worst; this says which attribute it means. */
const cookieWords = (result: string): string[] => [
  ...(result.includes('secure') ? ['cookie without Secure'] : []),
  ...(result.includes('httponly') ? ['cookie readable by script'] : []),
];

export function observatory(caFile: string, env: NodeJS.ProcessEnv): Tool {
  import.meta.resolve('@mdn/mdn-http-observatory/src/index.js');
  return {
    name: 'MDN HTTP Observatory',
    kinds: ['headers'],
    async run({ host, port, httpPort = 0 }: Target) {
      const program = join(import.meta.dirname, 'observatory-process.ts');
      const args = [program, caFile, host, String(httpPort), String(port)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      return Object.entries(Opinions.parse(JSON.parse(stdout))).flatMap(([test, { pass, result }]): Claim[] => {
        // Some of its passes say that something is missing all the same.
        if (pass && !result.endsWith('-not-implemented')) return [];
        const named = /cookie/i.test(test) ? cookieWords(result) : (words[test] ?? []);
        const weaknesses = named.length > 0 ? named : [undefined];
        return weaknesses.map((weakness) => ({ weakness, text: `${test}: ${result}`, isInformational: pass }));
      });
    },
  };
}
