import { defineChainStep } from '../checks/contract.ts';
import { knownSettings, readSettings } from '../checks/exposure/settings-file.ts';
import { settingsAddresses } from '../checks/files/file-reading.ts';
import { accountsIn } from '../checks/logins/leaked-accounts.ts';
import type { Candidate } from '../model/candidate.ts';
import { claim, type Step } from '../model/experiment.ts';
import type { FactInput } from '../model/fact.ts';
import { escapePattern } from '../proof/pattern.ts';
import { findSigningSecrets } from './signing-secrets.ts';

type ReadFile = {
  url: string;
  name: string;
  pattern: string;
  isEnvironment: boolean;
  key?: { name: string; pattern: string };
};

const maxFileBytes = 256 * 1024;
/** The first of a program and its settings have what the others have. */
const maxFiles = 2;

/** A reading of files leads to the settings of the application itself. Source: CWE-22 with CWE-538, proc(5). */
export const readSettingsByTraversal = defineChainStep<ReadFile>({
  id: 'chains.read-settings',
  title: 'Secrets in files that path traversal reads',
  cwe: 538,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  risk: 'safe',
  needs: [{ kind: 'file-reading' }],
  cost: 12,

  async detect({ http }, [reading]) {
    const found: Candidate<ReadFile>[] = [];
    for (const url of reading ? settingsAddresses(reading) : []) {
      const { status, text, truncated } = await http.get(url, { fresh: true, maxBodyBytes: maxFileBytes });
      const file = status === 200 && !truncated ? secretsIn(url, text) : undefined;
      if (file) found.push({ location: { url }, detail: `The file "${file.name}" was read.`, data: file });
      if (found.length === maxFiles) break;
    }
    return found;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { url, name, pattern, key } = data;
    const step = (at: string, note: string): Step => ({
      http: { url: at },
      note,
      expect: [
        claim('status', 'equals', '200'),
        claim('body:masked', 'matches', pattern, 'A secret of the application.'),
      ],
    });
    return {
      steps: [
        {
          ...step(url, `The file "${name}" of the application is read.`),
          ...(key && { capture: [{ name: 'key', subject: 'body:masked', pattern: key.pattern, secret: true }] }),
        },
      ],
      control: [step(url.replace(name, '‹nonce›'), 'The same with a name that no file has gives nothing of it.')],
    };
  },

  gives: {
    kinds: ['exposed-text', 'environment-file', 'signing-secret'],
    facts: ({ data }, captured): FactInput[] => {
      if (!data) return [];
      const { url, isEnvironment, key } = data;
      return [
        { kind: 'exposed-text', subject: url, attributes: {} },
        ...(isEnvironment ? [{ kind: 'environment-file', subject: url, attributes: {} }] : []),
        ...(key && captured.key !== undefined
          ? [
              {
                kind: 'signing-secret',
                subject: `${url} ${key.name}`,
                attributes: { name: key.name },
                secret: captured.key,
              },
            ]
          : []),
      ];
    },
  },

  explain: {
    description:
      'By the same input that reads files of the system, the settings or the source of the application itself are read, with the secrets that stand in them.',
    impact:
      'Whoever reads them has the passwords of the application and the key that signs its sessions, and needs the weakness no longer.',
    sends:
      'GET requests for up to 10 usual files of settings and programs (`.env`, `config.py`, `server.js`, …) in the folder of the server’s process, by the input that was shown to read files, and for a random name there.',
    proves:
      'The answer assigns secrets of the application; a random name in the same folder does not give them. An attacker has these secrets. What they open is shown by later steps only.',
    remedy:
      'Mend the traversal, and change every secret that the files have: they have to count as known. Give secrets to the process by its manager or a secret store instead of files beside the program, and run it with an account that reads no more than it needs.',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'proc(5): https://man7.org/linux/man-pages/man5/proc_pid_cwd.5.html',
    ],
  },
});

/** What of a file is a secret: a setting, a key for signing, or an account. */
function secretsIn(url: string, text: string): ReadFile | undefined {
  const name = /[\w.-]+$/.exec(new URL(url).href.replace(/%00.*$|\0.*$/s, ''))?.[0].replace(/^2[fF]/, '') ?? '';
  if (name === '' || /^\s*<(?:!doctype|html)/i.test(text)) return undefined;
  const [setting] = name === '.env' ? knownSettings(readSettings(text) ?? []).filter(({ isSecret }) => isSecret) : [];
  const [key] = findSigningSecrets(name, text, () => false);
  const [account] = accountsIn(text, { url, file: name, subject: 'body:masked' });
  const assigns = setting && `(?m)^\\s*(?:export\\s+)?${escapePattern(setting.key)}\\s*=`;
  const pattern = assigns ?? key?.pattern ?? account?.pattern;
  if (pattern === undefined) return undefined;
  // Which setting of several is the key is known to the step that reads settings.
  return { url, name, pattern, isEnvironment: assigns !== undefined, ...(key && !assigns && { key }) };
}
