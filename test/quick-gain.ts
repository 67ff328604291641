import type { Audit as WorkerAudit } from '../workflows/activities/audit-context.ts';
import { findAccounts, registerAccounts } from '../workflows/activities/gaining.ts';
import type { Check } from '../workflows/checks/contract.ts';
import { proveLogin } from '../workflows/login/prove-login.ts';
import { gainedName } from '../workflows/model/gained-name.ts';
import { type AuditOptions, check, openAudit, type TestIdentity } from './workflows/checks/harness.ts';

/** Accounts as a scan without test identities gains them, as identities for the harness. */
export async function gainedIdentities(url: string, options: AuditOptions): Promise<TestIdentity[]> {
  const audit = await openAudit(url, options);
  const gained: TestIdentity[] = [];
  const gaining = {
    id: 'accounts',
    risk: 'caution',
    visitors: 'once',
    depth: 'deep',
    async detect(context: any) {
      const tried = { ...context, http: audit.licensed('credentials') };
      const found = await findAccounts(tried);
      const more =
        options.writes === 'create'
          ? await registerAccounts(
              { context, storeFor: () => context.store } as unknown as WorkerAudit,
              tried,
              2 - found.length,
            )
          : [];
      for (const [index, { origin, login }] of [...found, ...more].entries()) {
        const tools = {
          http: audit.licensed('credentials'),
          browser: context.browser,
          baseUrl: url,
          signal: context.signal,
          nonce: context.nonce,
        };
        const proof = await proveLogin(tools as never, login);
        const { value, case: kind } = login.kind as any;
        if (!proof.proven) {
          console.log(`# ${origin} account ${value.username}: ${proof.reason}`);
          continue;
        }
        gained.push({
          name: gainedName(origin, index),
          role: login.role,
          checkPath: proof.mark.checkUrl,
          marker: proof.mark.marker,
          login: {
            path: value.url,
            username: value.username,
            password: value.password,
            ...(kind === 'json' ? { json: { tokenPath: value.tokenPath } } : {}),
          },
        });
      }
      return [];
    },
    confirm: () => undefined,
  };
  const { outcome } = await check(audit, gaining as unknown as Check);
  if (outcome.kind !== 'clean') console.log(`# gaining accounts: ${outcome.kind} ${(outcome as any).reason ?? ''}`);
  await audit.close();
  return gained;
}
