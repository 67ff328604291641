import { type DescMethod, type DescService, getOption, type Message } from '@bufbuild/protobuf';
import type { CallOptions, Client } from '@connectrpc/connect';
import { AccessService } from '../proto/gen/scanaudit/v1/access_pb.ts';
import { field, rest } from '../proto/gen/scanaudit/v1/options_pb.ts';

/** Makes clients of core's services: `rpcClients` of kit/rpc.ts. */
export type CoreClients = <S extends DescService>(service: S) => Client<S>;

/** What an RPC carries besides its message. */
export type CallContext = {
  headers: Record<string, string>;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
  /** Takes what core's answer says about the call, whether it is a success or a refusal. */
  onHeader: (headers: Headers) => void;
};

export type CoreApi = {
  /** @throws ConnectError */
  call(rpc: DescMethod, request: Message, context: CallContext): Promise<Message>;
  /** Every refusal that comes before the request itself is looked at. @throws ConnectError */
  checkAccess(rpc: DescMethod, context: CallContext): Promise<void>;
};

type UnaryClient = Record<string, (request: Message, options: CallOptions) => Promise<Message>>;

export function coreApi(clients: CoreClients): CoreApi {
  const access = clients(AccessService);
  const made = new Map<DescService, UnaryClient>();
  const clientOf = (service: DescService): UnaryClient => {
    // The type of a client is made from a service that is known when it is compiled; here it is known at run time only.
    const client = made.get(service) ?? (clients(service) as unknown as UnaryClient);
    made.set(service, client);
    return client;
  };
  return {
    call: async (rpc, request, context) => {
      const unary = clientOf(rpc.parent)[rpc.localName];
      if (!unary) throw new TypeError(`core has no ${rpc.toString()}`);
      return unary(request, { ...context, timeoutMs: timeoutMsOf(rpc, request) });
    },
    checkAccess: async (rpc, context) => {
      await access.check({ method: `${rpc.parent.typeName}/${rpc.name}` }, context);
    },
  };
}

const defaultTimeoutMs = 10_000;
/** A request that may ask core to wait has that much longer. Core refuses waits that are out of bounds, so they get no time. */
function timeoutMsOf(rpc: DescMethod, request: Message): number {
  const times = timesOf.get(rpc) ?? readTimes(rpc);
  timesOf.set(rpc, times);
  const wait = 'wait' in request && typeof request.wait === 'number' ? request.wait : 0;
  return times.timeoutMs + (wait > 0 && wait <= times.maxWait ? wait * 1000 : 0);
}

type Times = { timeoutMs: number; maxWait: number };

/** Reading an option copies it. */
const timesOf = new WeakMap<DescMethod, Times>();

function readTimes(rpc: DescMethod): Times {
  const { max: maxWait = 0 } = rpc.input.field.wait ? getOption(rpc.input.field.wait, field) : {};
  return { timeoutMs: getOption(rpc, rest).timeoutSeconds * 1_000 || defaultTimeoutMs, maxWait };
}
