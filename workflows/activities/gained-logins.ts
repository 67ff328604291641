import { toJsonString } from '@bufbuild/protobuf';
import { LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { CheckContext } from '../checks/contract.ts';
import { familyWeight } from '../checks/family-weight.ts';
import { leakingKinds } from '../checks/logins/leaked-accounts.ts';
import { united } from '../checks/omitted.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import { hasLogin } from '../checks/sessions/site-login.ts';
import { openLogin } from '../login/settings.ts';
import type { Fact } from '../model/fact.ts';
import { gainedName, isGuest } from '../model/gained-name.ts';
import type { Omission, Omitted } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { opened, store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts } from './facts.ts';
import { findAccounts, type GainedAccount } from './gaining.ts';
import { guestSession } from './guest-sessions.ts';
import { inAudit } from './in-audit.ts';
import { joiningAccounts } from './joining-accounts.ts';
import { nameFirstAccounts } from './name-first-accounts.ts';
import { registerAccounts } from './registering.ts';
import { findSurface } from './surface.ts';

/** What one of two users has can be asked for by the other. */
const enough = 2;

/**
 * Finds accounts for what the org has given no test identity for: those that pages show, the first ones of products, and on a test
 * system new ones. Each is used as one of the org's: proven first, and with its failure in the coverage.
 */
export function gainedLoginsActivity(deps: AuditDeps): Pick<AuditActivities, 'gainLogins'> {
  return {
    gainLogins: ({ runId, share }) =>
      inAudit(deps, { runId, share }, async (tools) => {
        const { run, context, probes } = tools;
        const given = context.logins.length;
        const surface = await findSurface(run, '');
        const left: Omitted[] = [];
        const accounts = surface ? await gain(deps, tools, { given, hasLogin: hasLogin(surface) }, left) : [];
        const named = accounts.map((account, index) => ({ ...account, name: gainedName(account.origin, index) }));
        for (const { name, login } of named) await opened.keepLogin(run, name, toJsonString(LoginSchema, login));
        await store.gained.put(
          run,
          '',
          named.map(({ name }) => name),
        );
        const requests = probes.requests();
        const lacking = surface && given === 0 ? lackingIdentities(tools, surface, named) : [];
        const omissions = [...lacking, ...united(left).map((each) => ({ ...each, subject: 'accounts' }))];
        const remark = named.map(({ name, how }) => `"${name}": ${how}`).join('; ');
        await run.recordCoverage(partCoverage({ part: 'accounts', requests, omissions, remark }));
        const families = named.map(({ name }) => [name, deps.registry.familiesOf(name)] as const);
        return {
          requests,
          logins: named.map(({ name }) => name),
          visitors: Object.fromEntries(families.map(([name, own]) => [name, own.map(({ id }) => id)])),
          weights: Object.fromEntries(
            families.flatMap(([, own]) => own.map(({ id, checks }) => [id, familyWeight(checks)])),
          ),
        };
      }),
  };
}

type LoginsThere = { given: number; hasLogin: boolean };

/** @param left takes what was not tried */
async function gain(
  deps: AuditDeps,
  tools: ActivityTools,
  { given, hasLogin }: LoginsThere,
  left: Omitted[],
): Promise<GainedAccount[]> {
  const accounts = hasLogin ? await accountsOf(deps, tools, given, left) : [];
  if (given + accounts.length > 0) return accounts;
  const audit = await openAudit(deps, tools, { depth: 'deep' });
  const mayStore = tools.writes === 'create';
  // What has a name and a password may open an account, though nothing calls it a login.
  const joined = mayStore && !hasLogin ? await joiningAccounts(audit, triedIn(audit, tools, left), enough) : [];
  if (joined.length > 0) return joined;
  const leave = (omitted: Omitted) => void left.push(omitted);
  const reached = mayStore ? await store.reachedSteps.find(tools.run, '') : undefined;
  return guestSession({ ...audit, context: { ...audit.context, leave } }, mayStore, reached);
}

/** What may send what logs in. */
function triedIn({ context }: Audit, { probes }: ActivityTools, left: Omitted[]): CheckContext {
  // A name of ours that a page greets was not stored by its login.
  const http = probes.licensed('credentials');
  return { ...context, http, leave: (omitted) => void left.push(omitted) };
}

async function accountsOf(
  deps: AuditDeps,
  tools: ActivityTools,
  given: number,
  left: Omitted[],
): Promise<GainedAccount[]> {
  const mayRegister = tools.writes === 'create';
  // What only administrators are led to is tested with the account that a product comes with, where it still opens a test system.
  const seeksAdministrator = tools.writes === 'create' && !(await hasAdministrator(tools));
  if (given > 0 && !mayRegister && !seeksAdministrator) return [];
  const audit = await openAudit(deps, tools, { depth: 'deep' });
  const tried = triedIn(audit, tools, left);
  // What an attack gains on a system that people work with is reported, and not used.
  const leaks = tools.writes === 'create' ? await leaksOf(tools) : undefined;
  const accounts =
    given === 0 || seeksAdministrator
      ? [...(await findAccounts(tried, { leaks })), ...(await nameFirstAccounts(tried))]
      : [];
  const found = given === 0 ? accounts : accounts.filter(({ login }) => login.role === 'admin');
  const users = found.filter(({ login }) => login.role !== 'admin').length + given;
  // Beside others one is enough: nobody else has it, so that its password and its vouchers may be used up.
  const registered = mayRegister ? await registerAccounts(audit, tried, Math.max(1, enough - users)) : [];
  const isWithoutUser = mayRegister && users + registered.length === 0;
  return [...found, ...registered, ...(isWithoutUser ? await joiningAccounts(audit, tried, enough) : [])];
}

const leaksOf = async ({ run }: ActivityTools): Promise<Fact[]> =>
  (await loadFacts(run)).filter(({ kind }) => leakingKinds.includes(kind));

async function hasAdministrator({ run, context }: ActivityTools): Promise<boolean> {
  const logins = await Promise.all(context.logins.map(({ name }) => openLogin(run, name)));
  return logins.some(isPrivileged);
}

/** A deep scan of a domain without test identities says so: a gap where there is something behind a login that it did not get into. */
function lackingIdentities(
  { context: { depth, domain } }: Pick<ActivityTools, 'context'>,
  surface: Surface,
  gained: readonly { name: string }[],
): Omission[] {
  if (depth !== Depth.DEEP) return [];
  const advice = `give ${domain} a test identity (PUT /api/v1/domains/${domain}/logins/‹name›)`;
  const word = (code: Omission['code'], text: string): Omission[] => [{ code, subject: 'login', count: 1, text }];
  if (!gained.every(({ name }) => isGuest(name)))
    return word(
      'identities_gained',
      `what is behind the login was tested with accounts that the audit found: ${advice}`,
    );
  return hasLogin(surface)
    ? word('identities_missing', `nothing behind the login was tested: ${advice}`)
    : word('no_identities', `no login was seen, and nothing was tested as a user`);
}
