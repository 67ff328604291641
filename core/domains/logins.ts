import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Login, LoginSummarySchema, PutLoginRequest } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { LoginEntity, type LoginRow } from './entities.ts';
import { checkLogin } from './login-rules.ts';
import { areSameAccount, openLogin, sealLogin } from './login-settings.ts';
import { parseDomain } from './name.ts';
import { holdRight } from './right.ts';

type LoginName = { domain: string; name: string };

/** Stores a login, or puts it in the place of the one of that name. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function putLogin(deps: Deps, { domain: text, name, login }: PutLoginRequest): Promise<LoginRow> {
  const { orgId } = callerOrg(deps);
  const key = { orgId, domain: parseDomain('domain', text).name, name };
  const kind = checkLogin(login, key.domain);
  if (!login) throw invalid('INVALID_PARAMETER', 'login', 'give one');
  return inOrg(deps.em, orgId, async (tx) => {
    await holdRight(tx, orgId, key.domain);
    await requireOtherAccount(tx, deps, key, login);
    const settings = sealLogin(deps.cipher, key, login);
    const detail = { kind, role: login.role || 'user', totp: login.totp !== undefined };
    await recordChange(tx, deps, { orgId, action: 'login.put', subject: subjectOf(key), detail });
    return tx.upsert(LoginEntity, { ...key, ...detail, settings, updatedAt: new Date() });
  });
}

/** Two accounts show what one user may see of another; one account under two names would show nothing. */
async function requireOtherAccount(
  tx: EntityManager,
  { cipher }: Deps,
  { orgId, domain, name }: Pick<LoginRow, 'orgId' | 'domain' | 'name'>,
  login: Login,
): Promise<void> {
  const others = await tx.find(LoginEntity, { orgId, domain, name: { $ne: name } });
  const twin = others.find((other) => areSameAccount(openLogin(cipher, other), login));
  if (twin)
    throw invalid('INVALID_PARAMETER', 'login', `it is the account of the login "${twin.name}"; use another one`);
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export function getLogin({ em, ...deps }: Deps, place: LoginName): Promise<LoginRow> {
  const { orgId } = callerOrg(deps);
  const domain = parseDomain('domain', place.domain).name;
  return inOrg(em, orgId, async (tx) => {
    const login = await tx.findOne(LoginEntity, { orgId, domain, name: place.name });
    if (!login) throw unknownLogin();
    return login;
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function deleteLogin(deps: Deps, place: LoginName): Promise<void> {
  const { orgId } = callerOrg(deps);
  const domain = parseDomain('domain', place.domain).name;
  const key = { orgId, domain, name: place.name };
  await inOrg(deps.em, orgId, async (tx) => {
    if ((await tx.nativeDelete(LoginEntity, key)) === 0) throw unknownLogin();
    await recordChange(tx, deps, { orgId, action: 'login.delete', subject: subjectOf(key) });
  });
}

const subjectOf = ({ domain, name }: LoginName) => `${domain}/${name}`;

const unknownLogin = () => new Refusal('NOT_FOUND', { message: 'There is no such login.' });

/** Without secrets. */
export function summarise({
  domain,
  name,
  kind,
  role,
  totp,
  updatedAt,
}: LoginRow): MessageInitShape<typeof LoginSummarySchema> {
  return { domain, name, kind, role, totp, updatedAt: timestampFromDate(updatedAt) };
}
