import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LoginSummarySchema, PutLoginRequest } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { DomainEntity, LoginEntity, type LoginRow } from './entities.ts';
import { checkLogin, sealLogin } from './login-settings.ts';
import { parseDomain } from './name.ts';

type Place = { domain: string; name: string };

/** Stores a login, or puts it in the place of the one of that name. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function putLogin(deps: Deps, { domain: text, name, login }: PutLoginRequest): Promise<LoginRow> {
  if (!/^[0-9A-Za-z-]{1,32}$/.test(name))
    throw invalid('INVALID_PARAMETER', 'name', 'use 1 to 32 letters, digits and hyphens');
  const { orgId } = callerOrg(deps);
  const key = { orgId, domain: parseDomain('domain', text).name, name };
  const kind = checkLogin(login, key.domain);
  if (!login) throw invalid('INVALID_PARAMETER', 'login', 'give one');
  return inOrg(deps.em, orgId, async (tx) => {
    if (!(await tx.findOne(DomainEntity, { orgId, domain: key.domain, withdrawnAt: null })))
      throw new Refusal('NOT_FOUND', { message: 'The org has no such domain.' });
    const settings = sealLogin(deps.cipher, key, login);
    return tx.upsert(LoginEntity, { ...key, kind, role: login.role || 'user', settings, updatedAt: new Date() });
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export function getLogin({ em, ...deps }: Deps, place: Place): Promise<LoginRow> {
  const { orgId } = callerOrg(deps);
  const domain = parseDomain('domain', place.domain).name;
  return inOrg(em, orgId, async (tx) => {
    const login = await tx.findOne(LoginEntity, { orgId, domain, name: place.name });
    if (!login) throw unknownLogin();
    return login;
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function deleteLogin({ em, ...deps }: Deps, place: Place): Promise<void> {
  const { orgId } = callerOrg(deps);
  const domain = parseDomain('domain', place.domain).name;
  const deleted = await inOrg(em, orgId, (tx) => tx.nativeDelete(LoginEntity, { orgId, domain, name: place.name }));
  if (deleted === 0) throw unknownLogin();
}

const unknownLogin = () => new Refusal('NOT_FOUND', { message: 'There is no such login.' });

/** Without secrets. */
export function summarise({
  domain,
  name,
  kind,
  role,
  updatedAt,
}: LoginRow): MessageInitShape<typeof LoginSummarySchema> {
  return { domain, name, kind, role, updatedAt: timestampFromDate(updatedAt) };
}
