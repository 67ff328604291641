import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { isSameAccount } from '../login/account.ts';
import { keepSession } from '../login/kept-session.ts';
import { type LoginProof, type LoginProofTools, proveLogin } from '../login/prove-login.ts';
import { recallLogin, rememberLogin } from '../login/proven-login.ts';
import { scriptedStorage } from '../login/scripted-storage.ts';
import { openLogin, secretsOf, spellingsOf } from '../login/settings.ts';
import { omissionCodeOf } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { ProvenLogin } from '../model/proven-login.ts';
import type { AuditActivities } from '../model/tasks.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import { makeNonce } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { loginProofTools } from './gate-knowledge.ts';
import { inAudit } from './in-audit.ts';
import { masked } from './masking.ts';
import { valuesOf } from './scope-headers.ts';

/** Shows that a test identity can log in, or says loudly in the coverage that it cannot. */
export function loginActivity(deps: AuditDeps): Pick<AuditActivities, 'proveLogin'> {
  return {
    proveLogin: ({ runId, login: name, share }) =>
      inAudit(deps, { runId, share }, async ({ run, context, probes, signal }) => {
        const login = await openLogin(run, name);
        const tools = { ...loginProofTools({ run, context, probes, signal }), nonce: makeNonce };
        const proof = await withoutTwin(
          run,
          context.logins,
          name,
          await proveMasked(tools, login, valuesOf(probes.scopeHeaders)),
        );
        if (proof.proven) await remember(run, name, login, proof);
        const unseen = proof.proven && !proof.isExclusive ? await keepStorage(tools, run, name, login) : [];
        const part = `login:${name}`;
        const requests = probes.requests();
        const omissions = proof.proven
          ? unseen.map((text) => ({ code: 'scripts_unseen' as const, subject: part, count: 1, text }))
          : [
              {
                code: omissionCodeOf(`login_${proof.failure}`, 'login_not_proven'),
                subject: part,
                count: 1,
                text: proof.reason,
              },
            ];
        const remark = proof.proven ? remarkOn(proof) : '';
        await run.recordCoverage(partCoverage({ part, requests, omissions, remark }));
        return { proven: proof.proven, requests };
      }),
  };
}

/** What went wrong is told in the coverage and in histories; an address may have a password in its query. */
async function proveMasked(tools: LoginProofTools, login: Login, others: readonly string[]): Promise<LoginProof> {
  const secrets = [...secretsOf(login), ...others].flatMap(spellingsOf);
  try {
    const proof = await proveLogin(tools, login);
    return proof.proven ? proof : masked(proof, secrets);
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    throw new ProbeError(error.code, masked(error.message, secrets), { cause: error.cause });
  }
}

/** @returns why what scripts keep of the session is not known, where there is something */
async function keepStorage(tools: LoginProofTools, run: Run, name: string, login: Login): Promise<string[]> {
  const surface = await store.surface.find(run, '');
  const kept = surface && (await scriptedStorage(tools, login, surface));
  if (kept && 'storage' in kept) await store.storage.put(run, name, kept.storage);
  return kept && 'unseen' in kept ? masked([kept.unseen], secretsOf(login).flatMap(spellingsOf)) : [];
}

/** Two identities that are one account would make every comparison between them look safe. */
async function withoutTwin(
  run: Run,
  logins: readonly { name: string }[],
  name: string,
  proof: LoginProof,
): Promise<LoginProof> {
  if (!proof.proven) return proof;
  for (const other of logins) {
    const known = other.name === name ? undefined : await recallLogin(run, other.name);
    if (!known || !isSameAccount(known.account, proof.account)) continue;
    const reason = `it is the same account as the login "${known.name}": what one user may see of another takes two accounts. If they are two, give a checkUrl that shows who is logged in`;
    return { proven: false, failure: 'same_account', reason };
  }
  return proof;
}

type Proven = Extract<LoginProof, { proven: true }>;

async function remember(run: Run, name: string, login: Login, proof: Proven): Promise<void> {
  const { mark, account, session } = proof;
  const inBrowser = proof.inBrowserSince !== undefined;
  const isKept = inBrowser || login.kind.case === 'browser' || login.totp !== undefined || proof.isExclusive;
  const proven: ProvenLogin = { name, role: login.role, ...mark, account, recipe: session.recipe, inBrowser, isKept };
  if (isKept) await keepSession(run, name, session);
  await rememberLogin(run, proven);
}

function remarkOn({ mark, inBrowserSince, isExclusive }: Proven): string {
  const how = inBrowserSince === undefined ? 'logged in' : `logged in with a browser, since ${inBrowserSince}`;
  const one = isExclusive ? '; each login ends the session before it, so one session serves the whole scan' : '';
  return `${how}; proven at ${mark.checkUrl}${one}`;
}
