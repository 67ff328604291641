import { parentPort, workerData } from 'node:worker_threads';
import { create, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { readBody } from '../body.ts';
import { endpointsOf } from '../endpoints.ts';
import { GatewayRefusal } from '../errors.ts';
import { Issues } from '../issues.ts';
import type { BodyResult, BodyTask } from './read-aside.ts';

/** Runs in a thread of its own: reads one body and says what came of it. */
function read({ rpc, body }: BodyTask): BodyResult {
  const endpoint = endpointsOf().find((each) => each.rpc.toString() === rpc);
  if (!endpoint) throw new TypeError(`there is no endpoint of ${rpc}`);
  const { input } = endpoint.rpc;
  const message = reflect(input, create(input));
  const issues = new Issues();
  try {
    readBody(message, endpoint, body, issues);
    issues.refuse();
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error;
    return { refusal: { reason: error.reason, detail: error.message, errors: error.errors } };
  }
  return { message: toBinary(input, message.message) };
}

const result = read(workerData as BodyTask);
parentPort?.postMessage(result, 'message' in result ? [result.message.buffer as ArrayBuffer] : []);
