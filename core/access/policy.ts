import { type DescMethod, type DescService, getOption, hasOption, isMessage } from '@bufbuild/protobuf';
import type { StreamRequest, UnaryRequest } from '@connectrpc/connect';
import { AccessService, CheckRequestSchema } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { type Access, access, KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import type { Caller } from '../context.ts';

/** Who may call an RPC, as its access option says. */
export type Policy = {
  isPublic: boolean;
  kinds: ReadonlySet<Caller['kind']>;
  /** Scope that an org or service key must hold; "" is none. */
  scope: string;
  needsOrg: boolean;
  /** A bucket of the org besides the key's own. */
  limit: '' | 'starts';
};

export type Policies = {
  /** The policy of a call. A check is subject to the policy of the RPC that it names. */
  of(request: UnaryRequest | StreamRequest): Policy;
};

const rpcName = (method: DescMethod): string => `${method.parent.typeName}/${method.name}`;

/**
 * Reads the access options of all RPCs.
 * @throws Error naming each RPC whose option is missing or makes no sense: such a program must not start
 */
export function readPolicies(services: readonly DescService[]): Policies {
  const byName = new Map<string, Policy>();
  const faults: string[] = [];
  for (const method of services.flatMap((service) => service.methods)) {
    const policy = hasOption(method, access) ? readPolicy(getOption(method, access)) : 'has no access option';
    if (typeof policy === 'string') faults.push(`${rpcName(method)} ${policy}`);
    else byName.set(rpcName(method), policy);
  }
  if (faults.length > 0) throw new Error(`Nobody knows who may call:\n  ${faults.join('\n  ')}`);
  return {
    of: (request) => {
      const name =
        request.method === AccessService.method.check && isMessage(request.message, CheckRequestSchema)
          ? request.message.method
          : rpcName(request.method);
      const policy = byName.get(name) ?? byName.get(rpcName(request.method));
      if (policy === undefined) throw new Error(`there is no policy of ${rpcName(request.method)}`);
      return policy;
    },
  };
}

const kindNames: Partial<Record<KeyKind, Caller['kind']>> = {
  [KeyKind.ORG]: 'org',
  [KeyKind.SERVICE]: 'service',
  [KeyKind.WORKER]: 'worker',
  [KeyKind.OPERATOR]: 'operator',
  [KeyKind.LISTENER]: 'listener',
};

function readPolicy(option: Access): Policy | string {
  const kinds = new Set(option.kinds.map((kind) => kindNames[kind]).filter((kind) => kind !== undefined));
  if (kinds.size === 0 && !option.public) return 'names no kind of key and is not public';
  if (kinds.size > 0 && option.public) return 'is public and names kinds of key';
  if (option.limit !== '' && option.limit !== 'starts') return `has the unknown limit "${option.limit}"`;
  return { isPublic: option.public, kinds, scope: option.scope, needsOrg: option.org, limit: option.limit };
}
