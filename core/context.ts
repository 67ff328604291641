import { type ContextValues, createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../kit/logger.ts';
import type { Cipher } from './crypto.ts';
import type { Plan } from './orgs/entities.ts';

/** Who calls, as its key says. */
export type Caller = {
  kind: 'org' | 'service' | 'worker' | 'operator' | 'listener';
  keyId: string;
  scopes: readonly string[];
  /** The org that the call acts on: an org key's own, or the one that a service key names. */
  org?: { orgId: string; plan: Plan };
};

/** Delivers the messages of the outbox, in the background. */
export type Dispatcher = {
  /** Look for messages now; call it after the transaction that left one has committed. */
  wake(): void;
  /** Ends the work in progress. */
  stop(): Promise<void>;
};

/** What calls ask of Temporal while they wait. */
type Orchestration = {
  /** Starts the look for a proof of ownership. Rejects when Temporal cannot be reached. */
  verify(checkId: string): Promise<void>;
};

/** What lives as long as the program and is shared by all calls. */
export type Core = {
  /** The root entity manager; fork it or use core/db/session.ts. */
  em: EntityManager;
  log: Logger;
  cipher: Cipher;
  dispatcher: Dispatcher;
  temporal: Orchestration;
  settings: {
    /** Where credit can be bought, when the installation names a place. */
    checkoutUrl: string | undefined;
  };
};

/** What one call works with. */
export type Deps = Core & {
  /** Undefined in public RPCs only. */
  caller: Caller | undefined;
  requestId: string;
  /** The address that the call came from: the one that the gateway reports, or else that of the connection. */
  address: string;
  /** Aborts at the deadline, when the client goes away, and when the server drains. */
  signal: AbortSignal;
};

export const coreKey = createContextKey<Core | undefined>(undefined, { description: 'core' });
export const emKey = createContextKey<EntityManager | undefined>(undefined, { description: 'entity manager' });
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: 'caller' });
export const logKey = createContextKey<Logger | undefined>(undefined, { description: 'logger' });
/** Headers that every answer of this call gets, error or not. */
export const answerHeadersKey = createContextKey(new Headers(), { description: 'answer headers' });
/** Address of the connection's other end. */
export const peerAddressKey = createContextKey('', { description: 'peer address' });
export const addressKey = createContextKey('', { description: 'address of the caller' });
export const requestIdKey = createContextKey('', { description: 'request id' });

/** A context value that an outer interceptor has set. */
export function contextValue<T>(values: ContextValues, key: { id: symbol; defaultValue: T | undefined }): T {
  const value = values.get(key);
  if (value === undefined) throw new Error(`context value "${key.id.description}" is not set`);
  return value;
}

/** The dependencies of a handler, with this call's own entity manager and logger. */
export function deps(ctx: Pick<HandlerContext, 'values' | 'signal'>): Deps {
  return {
    ...contextValue(ctx.values, coreKey),
    em: contextValue(ctx.values, emKey),
    log: contextValue(ctx.values, logKey),
    caller: ctx.values.get(callerKey),
    requestId: ctx.values.get(requestIdKey),
    address: ctx.values.get(addressKey),
    signal: ctx.signal,
  };
}

/** The org that this call acts on. The access interceptor has made sure of it for RPCs with `org: true`. */
export function callerOrg(deps: Pick<Deps, 'caller'>): { orgId: string; plan: Plan } {
  if (deps.caller?.org === undefined) throw new Error('the RPC acts on an org but its access option does not say so');
  return deps.caller.org;
}
