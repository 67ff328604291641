import type { Fact, FactInput } from '../../model/fact.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { Loopback } from '../addresses/loopback-addresses.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { openInput, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';

/** An input by which the server asks its own machine, with addresses in which `‹path›` stands for what is asked for. */
export type ServerRequests = { input: OpenedInput } & Loopback;

const kind = 'server-request';
export const needsServerRequest = { kind };
export const serverRequestKinds = [kind];

/** @param path with its slash, as it stands in the address */
export function serverRequestOf(input: OpenedInput, { open, closed }: Loopback, path: string): FactInput {
  const { method, url, parameter, in: place } = input;
  const template = (address: string) => {
    const at = address.lastIndexOf(path);
    return `${address.slice(0, at)}‹path›${address.slice(at + path.length)}`;
  };
  return {
    kind,
    subject: `${method} ${url} ${place} ${parameter}`,
    attributes: { open: template(open), closed: template(closed) },
  };
}

/** The input of such a fact, opened anew. */
export async function serverRequestsBy(
  context: CheckContext,
  fact: Fact | undefined,
): Promise<ServerRequests | undefined> {
  const input = inputsToProbe(context.surface).find(
    ({ method, url, parameter, in: place }) => `${method} ${url} ${place} ${parameter}` === fact?.subject,
  );
  const { open, closed } = fact?.attributes ?? {};
  return input && open && closed ? { input: await openInput(context, input), open, closed } : undefined;
}

/** Asks with an address as the value. A redirect sends the visitor there, and not the server: it has no text. */
export const fetchedBy =
  (context: CheckContext, input: OpenedInput) =>
  async (address: string): Promise<string> => {
    const values = newTrialValues(context.nonce, context.callbacks?.newToken);
    const { status, text } = await sendInput(context, input, inputAction(input, address), values);
    return status >= 300 && status < 400 ? '' : text;
  };
