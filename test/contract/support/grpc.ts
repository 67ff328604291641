import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import type { Ask, Outcome } from './operations.ts';
import { detailsOf, fromProto, toProto } from './proto-words.ts';

const folder = resolve(import.meta.dirname, '../../..');
const places = ['proto', 'node_modules/protobufjs', 'node_modules/google-proto-files'].map((name) =>
  join(folder, name),
);

/** The contract as protobufjs reads it: from the .proto files, with no code of ours in between. */
const contract = loadContract();

function loadContract(): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (origin, target) => {
    const place = target.startsWith('google/rpc/') ? places[2] : target.startsWith('google/') ? places[1] : places[0];
    return origin === '' ? target : join(place ?? '', target);
  };
  const ours = join(folder, 'proto/scanaudit/v1');
  const files = readdirSync(ours).map((name) => join(ours, name));
  const errors = ['status', 'error_details'].map((name) => join(places[2] ?? '', `google/rpc/${name}.proto`));
  root.loadSync([...files, ...errors]);
  root.resolveAll();
  return root;
}

const clients: grpc.Client[] = [];

export function closeGrpc(): void {
  for (const client of clients.splice(0)) client.close();
}

/** A gRPC client made of @grpc/grpc-js and protobufjs. */
export function askGrpc(coreUrl: string): Ask {
  const client = new grpc.Client(new URL(coreUrl).host, grpc.credentials.createInsecure());
  clients.push(client);
  return (operation, request = {}, { key, headers = {} } = {}) => {
    const [service = '', name = ''] = operation.split('/');
    const method = contract.lookupService(`scanaudit.v1.${service}`).methods[name];
    if (!method) throw new Error(`the contract has no ${operation}`);
    method.resolve();
    const { resolvedRequestType, resolvedResponseType } = method;
    if (!resolvedRequestType || !resolvedResponseType) throw new Error(`${operation} has unresolved types`);
    const metadata = new grpc.Metadata();
    for (const [header, value] of Object.entries(headers)) metadata.set(header, value);
    if (key !== undefined) metadata.set('authorization', `Bearer ${key}`);
    const bytes = Buffer.from(
      resolvedRequestType.encode(resolvedRequestType.fromObject(toProto(resolvedRequestType, request))).finish(),
    );
    return new Promise((done) => {
      let head = new grpc.Metadata();
      const call = client.makeUnaryRequest(
        `/scanaudit.v1.${service}/${name}`,
        (value: Buffer) => value,
        (value: Buffer) => value,
        bytes,
        metadata,
        { deadline: Date.now() + 70_000 },
        (error, answer) => {
          if (error) return done(refused(error, head));
          const message = resolvedResponseType.decode(answer ?? Buffer.alloc(0));
          done({ status: 0, reason: 'OK', body: fromProto(message), text: '', header: (name) => headerOf(head, name) });
        },
      );
      call.on('metadata', (answered) => {
        head = answered;
      });
    });
  };
}

function refused(error: grpc.ServiceError, head: grpc.Metadata): Outcome {
  const { reason, facts } = detailsOf(contract, error.metadata.get('grpc-status-details-bin')[0]);
  return {
    status: error.code,
    reason,
    body: facts,
    text: error.details,
    header: (name) => headerOf(head, name) ?? headerOf(error.metadata, name),
  };
}

function headerOf(metadata: grpc.Metadata, name: string): string | undefined {
  return metadata.get(name)[0]?.toString();
}
