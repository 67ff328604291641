import { rememberLogin } from '../login/identities.ts';
import { proveLogin } from '../login/prove-login.ts';
import { openLogin } from '../login/settings.ts';
import type { AuditActivities } from '../orchestration/tasks.ts';
import { makeNonce } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { inAudit } from './scene.ts';

/** Shows that a test identity can log in, or says loudly in the coverage that it cannot. */
export function loginActivity(deps: AuditDeps): Pick<AuditActivities, 'proveLogin'> {
  return {
    proveLogin: ({ runId, login: name, share }) =>
      inAudit(deps, { runId, share }, async ({ run, context, probes }) => {
        const login = await openLogin(run, name);
        const proof = await proveLogin({ http: probes.http, baseUrl: context.url, nonce: makeNonce }, login);
        const part = `login:${name}`;
        const requests = probes.requests();
        if (proof.proven) await rememberLogin(run, { name, ...proof.mark });
        const notCovered = proof.proven ? [] : [{ subject: part, reason: proof.reason }];
        await run.recordCoverage(partCoverage({ part, requests, notCovered }));
        return { proven: proof.proven, requests };
      }),
  };
}
