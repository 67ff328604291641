import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { patternOf, readSettings } from '../checks/exposure/settings-file.ts';
import { jwtsOf, keyThatSigned } from '../checks/sessions/jwt.ts';
import type { Candidate } from '../model/candidate.ts';
import { claim, type Step } from '../model/experiment.ts';

type EnvironmentSecret = { url: string; key: string; pattern: string };

const maxFileBytes = 128 * 1024;

/** A value in a served file of settings is the key that signs sessions. Source: CWE-538, CWE-321. */
export const envSecret = defineChainStep<EnvironmentSecret>({
  id: 'chains.env-secret',
  title: 'Session signing key in an exposed .env file',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  risk: 'safe',
  needs: [{ kind: 'environment-file' }],
  cost: 3,

  async detect(context, [file]) {
    const leak = file && (await findLeak(context, file.subject));
    return leak ? [candidateFor(leak)] : [];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { url, key, pattern } = data;
    const step = (from: string, note: string): Step => ({
      http: { url: from },
      note,
      expect: [claim('status', 'equals', '200'), claim('body:masked', 'matches', pattern, `The value of ${key}.`)],
    });
    return {
      steps: [
        {
          ...step(url, `The file sets ${key} to the key that our own session was signed with.`),
          capture: [{ name: 'key', subject: 'body:masked', pattern, secret: true }],
        },
      ],
      control: [
        step(url.replace(/\.env([^/]*)$/, '.‹nonce›$1'), 'A file of a random name in the same folder does not.'),
      ],
    };
  },

  gives: {
    kinds: ['signing-secret'],
    facts: ({ data }, captured) =>
      data && captured.key !== undefined
        ? [
            {
              kind: 'signing-secret',
              subject: `${data.url} ${data.key}`,
              attributes: { name: data.key },
              secret: captured.key,
            },
          ]
        : [],
  },

  explain: {
    description:
      'A value in the file of settings that the site gives away is the key with which it signs sessions: the token of a session of ours was signed with it.',
    impact:
      'With the key anybody can make sessions that the site takes for its own: of any user and with any role that is written into them. No log-in, and no trace of one, is needed.',
    sends: 'Requests the exposed settings file again, and a random file name beside it.',
    proves:
      'A value in the file is the key that signed our own session token, as computed without a request; a random file in the same folder does not hold it. An attacker has the key that signs sessions.',
    remedy:
      'Make a new key at once, `openssl rand -base64 48`, which ends all sessions; then take the file out of the folder that is served, or refuse hidden files in the web server: nginx `location ~ /\\.(?!well-known/) { return 404; }`. Give the key to the process by its manager or a secret store.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'CWE-321: https://cwe.mitre.org/data/definitions/321.html',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});

/** Whatever it is called and looks like: a key is what signed a session of ours. Nothing is sent to find that out. */
async function findLeak({ http, identities }: CheckContext, url: string): Promise<EnvironmentSecret | undefined> {
  const { status, text } = await http.get(url, { fresh: true, maxBodyBytes: maxFileBytes });
  const settings = (status === 200 && readSettings(text)) || [];
  const tokens = Object.values(identities).flatMap(jwtsOf);
  for (const setting of settings) {
    if (!tokens.some(({ jwt }) => keyThatSigned(jwt, setting.value) !== undefined)) continue;
    const pattern = patternOf(setting, text);
    if (pattern !== undefined) return { url, key: setting.key, pattern };
  }
  return undefined;
}

const candidateFor = (leak: EnvironmentSecret): Candidate<EnvironmentSecret> => ({
  location: { url: leak.url },
  detail: `The file sets ${leak.key}.`,
  data: leak,
});
