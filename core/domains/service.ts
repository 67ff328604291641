import type { ServiceImpl } from '@connectrpc/connect';
import { createReader } from '../../kit/documents/read-aside.ts';
import type { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { deps } from '../context.ts';
import { approveDomain, withdrawDomain } from '../ownership/approve-domain.ts';
import { deleteDomain, getDomain, registerDomain } from '../ownership/challenge.ts';
import { describeDomain } from '../ownership/describe-domain.ts';
import { listDomains } from '../ownership/list-domains.ts';
import { verifyDomain } from '../ownership/verify-domain.ts';
import type { KnownDomain } from './known-domain.ts';
import { deleteLogin, getLogin, putLogin, summarise } from './logins.ts';
import { getScope, putScope } from './scope.ts';

const describe = ({ right, challenge }: KnownDomain) => describeDomain(right, challenge);

/** Domains of orgs, their logins and scopes: see proto/scanaudit/v1/domains.proto. */
export function createDomainService(): ServiceImpl<typeof DomainService> {
  const reader = createReader();
  return {
    approveDomain: async (request, ctx) => describeDomain(await approveDomain(deps(ctx), request)),
    withdrawDomain: async (request, ctx) => describeDomain(await withdrawDomain(deps(ctx), request)),
    registerDomain: async ({ domain }, ctx) => describe(await registerDomain(deps(ctx), domain)),
    getDomain: async ({ domain }, ctx) => describe(await getDomain(deps(ctx), domain)),
    listDomains: async (request, ctx) => {
      const { domains, ...next } = await listDomains(deps(ctx), request);
      return { items: domains.map(describe), ...next };
    },
    verifyDomain: async (request, ctx) => {
      const { check, ...known } = await verifyDomain(deps(ctx), request);
      const { state: outcome, detail } = check;
      return { verified: outcome === 'found', outcome, detail, domain: describe(known) };
    },
    deleteDomain: async ({ domain }, ctx) => {
      await deleteDomain(deps(ctx), domain);
      return {};
    },
    getScope: ({ domain }, ctx) => getScope(deps(ctx), domain),
    putScope: ({ domain, scope }, ctx) => putScope(deps(ctx), reader, domain, scope),
    putLogin: async (request, ctx) => summarise(await putLogin(deps(ctx), request)),
    getLogin: async (request, ctx) => summarise(await getLogin(deps(ctx), request)),
    deleteLogin: async (request, ctx) => {
      await deleteLogin(deps(ctx), request);
      return {};
    },
  };
}
