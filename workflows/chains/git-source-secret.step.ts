import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { type ObjectPlace, openRepository } from '../checks/git/repository.ts';
import { walkFiles } from '../checks/git/walk.ts';
import { atMost, likeliest } from '../checks/inputs/at-most.ts';
import { adminPathsIn } from '../checks/pages/admin-paths.ts';
import { jwtsOf, keyThatSigned } from '../checks/sessions/jwt.ts';
import type { Candidate } from '../model/candidate.ts';
import { claim, type Step } from '../model/experiment.ts';
import { type FoundSecret, findSigningSecrets } from './signing-secrets.ts';

type GitSecret = FoundSecret & { base: string; path: string; place: ObjectPlace; adminPaths: string[] };

/** Secrets that are proven; the likeliest ones come first. */
const maxSecrets = 3;
/** Paths that a fact names, for what opens them. */
const maxAdminPaths = 20;

/** The source in an exposed repository holds a key that signs sessions. Source: CWE-540, CWE-321. */
export const gitSourceSecret = defineChainStep<GitSecret>({
  id: 'chains.git-source-secret',
  title: 'Session signing key in an exposed Git repository',
  cwe: 540,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  risk: 'safe',
  needs: [{ kind: 'repository' }],
  cost: 60,

  async detect(context, [repository]) {
    const base = repository?.attributes.base;
    if (base === undefined) return [];
    const leaks = await findLeaks(context, base);
    return atMost(context, leaks, maxSecrets, 'secrets').map(
      (leak): Candidate<GitSecret> => ({
        location: { url: leak.place.url },
        route: `/.git ${leak.path} ${leak.name}`,
        detail: `The file "${leak.path}" sets ${leak.name}.`,
        data: leak,
      }),
    );
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { place, path, name, pattern, base } = data;
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [claim('status', 'equals', '200'), claim(place.subject, 'matches', pattern, `The value of ${name}.`)],
    });
    return {
      steps: [
        {
          ...step(place.url, `The content of "${path}", read out of the repository, holds the key.`),
          capture: [{ name: 'key', subject: place.subject, pattern, secret: true }],
        },
      ],
      control: [
        step(
          place.url.replace(base, base.replace(/\.git\/$/, '.‹nonce›/')),
          'A folder of a random name beside it has no such object.',
        ),
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
              subject: `${data.base} ${data.path} ${data.name}`,
              attributes: { name: data.name, path: data.path, adminPaths: data.adminPaths.join(' ') },
              secret: captured.key,
            },
          ]
        : [],
  },

  explain: {
    description:
      'A file in the repository that the site gives away sets the key with which sessions or tokens are signed.',
    impact:
      'With the key anybody can make sessions that the site takes for its own: of any user and with any role that is written into them. No log-in, and no trace of one, is needed.',
    sends:
      'Requests objects of the exposed Git repository, up to 120 files of its newest commits, and the same object below a random folder name.',
    proves:
      'A file in the repository holds a signing key: one that signed our session, or else a random value under the name of a key. A random folder has no such object. Whether the latter signs sessions is shown by a later step only.',
    remedy:
      'Make a new key at once, which ends all sessions, and keep it out of the source: in the environment or a secret store (`JWT_SECRET` from Vault, AWS Secrets Manager or a mounted file), read when the program starts, with no fallback in the code. Scan commits for secrets before they are pushed (gitleaks, GitHub push protection), and remove access to the ".git" folder.',
    references: [
      'CWE-540: https://cwe.mitre.org/data/definitions/540.html',
      'CWE-321: https://cwe.mitre.org/data/definitions/321.html',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});

/** Keys in the files of the repository; those that signed a session of ours before all others. */
async function findLeaks(context: CheckContext, base: string): Promise<GitSecret[]> {
  const tokens = Object.values(context.identities).flatMap(jwtsOf);
  const isKey = (value: string) => tokens.some(({ jwt }) => keyThatSigned(jwt, value) !== undefined);
  const leaks: GitSecret[] = [];
  const adminPaths = new Set<string>();
  for await (const { path, object } of walkFiles(context, openRepository(context, base))) {
    const text = object.content.toString('utf8');
    for (const adminPath of adminPathsIn(text)) adminPaths.add(adminPath);
    for (const found of findSigningSecrets(path, text, isKey))
      leaks.push({ ...found, base, path, place: object.place, adminPaths: [] });
  }
  const known = leaks.filter(({ value }) => isKey(value));
  const likely = likeliest(context, [...adminPaths], maxAdminPaths, 'addresses of the administration in the source');
  return (known.length > 0 ? known : leaks).map((leak) => ({ ...leak, adminPaths: likely }));
}
