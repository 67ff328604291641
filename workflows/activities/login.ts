import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { isSameAccount } from '../login/account.ts';
import { keepSession } from '../login/kept-session.ts';
import { type LoginProof, type LoginProofTools, proveLogin } from '../login/prove-login.ts';
import { recallLogin, rememberLogin } from '../login/proven-login.ts';
import { scriptedLogin } from '../login/scripted-login.ts';
import type { LoginSession } from '../login/session.ts';
import { openLogin, secretsOf, spellingsOf, withTokenIn } from '../login/settings.ts';
import { isGuest } from '../model/gained-name.ts';
import { omissionCodeOf } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { ProvenLogin } from '../model/proven-login.ts';
import type { Surface } from '../model/surface.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { isGraphQlAddress } from '../probe/graphql-address.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import { makeNonce } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { loginProofTools } from './gate-knowledge.ts';
import { inAudit } from './in-audit.ts';
import { masked } from './masking.ts';
import { valuesOf } from './scope-headers.ts';
import { loginRecord } from './visits-ledger.ts';

/** Shows that a test identity can log in, or reports in the coverage that it cannot. */
export function loginActivity(deps: AuditDeps): Pick<AuditActivities, 'proveLogin'> {
  return {
    proveLogin: ({ runId, login: name, share }) =>
      inAudit(deps, { runId, share }, async ({ run, context, probes, writes, signal }) => {
        const login = await openLogin(run, name);
        const tools = {
          ...loginProofTools({ run, context, probes, signal }),
          nonce: makeNonce,
          isGuest: isGuest(name),
        };
        const {
          proof: shown,
          unseen,
          sent,
        } = await proveWithScript(tools, run, name, login, valuesOf(probes.scopeHeaders));
        const proof = await withoutTwin(run, context.logins, name, shown);
        if (proof.proven) await remember(run, name, login, proof);
        const record = loginRecord(name, [...sent, ...((proof.proven && proof.session.writes) || [])]);
        if (record && writes !== 'none') await run.recordWrite(record);
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

/** The cause is stated in the coverage and in histories; an address may have a password in its query. */
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

/** Addresses that an application reads of its users are few; of many the likeliest come first. */
const maxCalls = 4;
/** Of those that an application sends with what it reads, one has the token. */
const maxHeaders = 2;

/**
 * Proves a login. Where a page's script makes it, what the script keeps is kept for the browser, and what it reads afterwards, and in
 * which header it says who asks, shows who is logged in where the pages look the same for all.
 */
async function proveWithScript(
  tools: LoginProofTools,
  run: Run,
  name: string,
  login: Login,
  others: readonly string[],
): Promise<{ proof: LoginProof; unseen: string[]; sent: NonNullable<LoginSession['writes']> }> {
  const surface = await store.surface.find(run, '');
  const proof = await proveMasked({ ...tools, refused: refusedIn(surface) }, login, others);
  const isWanted = proof.proven
    ? !proof.isExclusive
    : ['no_marker', 'no_token'].includes(proof.failure) && login.checkUrl === '';
  const typed = isWanted && surface ? await scriptedLogin(tools, login, surface) : undefined;
  if (!typed) return { proof, unseen: [], sent: [] };
  if ('unseen' in typed)
    return { proof, unseen: masked([typed.unseen], secretsOf(login).flatMap(spellingsOf)), sent: [] };
  const { writes: sent } = typed;
  await store.storage.put(run, name, typed.storage);
  if (proof.proven) return { proof, unseen: [], sent };
  const ways = [login, ...typed.sends.slice(0, maxHeaders).map((header) => withTokenIn(login, header))];
  for (const checkUrl of typed.calls.slice(0, maxCalls))
    for (const way of new Set(ways)) {
      const again = await proveMasked(tools, { ...way, checkUrl }, others);
      if (again.proven) return { proof: again, unseen: [], sent };
    }
  const left = (count: number, what: string) => (count > 0 ? `; ${count} more ${what}` : '');
  const untried =
    left(
      typed.calls.length - maxCalls,
      "addresses that the page's script reads afterwards were not tried as its checkUrl",
    ) + left(typed.sends.length - maxHeaders, 'headers that it sends there were not tried as those of the session');
  return { proof: untried === '' ? proof : { ...proof, reason: `${proof.reason}${untried}` }, unseen: [], sent };
}

/** What GraphQL gives nobody is no refusal of the page. */
const refusedIn = (surface: Surface | undefined): string[] =>
  surface?.pages.flatMap(({ url, status }) => (status === 401 || status === 403 || isGraphQlAddress(url) ? url : [])) ??
  [];

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
  await keepSession(run, name, session);
  await rememberLogin(run, proven);
}

function remarkOn({ mark, inBrowserSince, isExclusive }: Proven): string {
  const how = inBrowserSince === undefined ? 'logged in' : `logged in with a browser, since ${inBrowserSince}`;
  const one = isExclusive ? '; each login ends the session before it, so one session serves the whole scan' : '';
  return `${how}; proven at ${mark.checkUrl}${one}`;
}
