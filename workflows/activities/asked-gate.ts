import type { Decision, GateRequest } from '../model/gate.ts';
import type { Gate } from '../probe/gate/gate.ts';

type AskedGate = Pick<Gate, 'decide'>;

const those = new WeakSet<AskedGate>();

/**
 * The gate, asked once for each request, as long as it learns nothing: all inputs of a form are sent by the same one, each with its own
 * field last, and a console has forms with hundreds of them.
 */
export function askedOnce(gate: AskedGate): AskedGate {
  if (those.has(gate)) return gate;
  const decisions = new Map<string, Decision>();
  const asked: AskedGate = {
    decide(request, licence) {
      const key = JSON.stringify([request.method, request.url, request.headers, fieldsOf(request), licence]);
      const known = decisions.get(key);
      if (known) return known;
      const decision = gate.decide(request, licence);
      decisions.set(key, decision);
      return decision;
    },
  };
  those.add(asked);
  return asked;
}

/** In whatever order they are sent. */
function fieldsOf({ headers, body = '' }: GateRequest): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('base64');
  const isForm = headers.some(
    ([name, value]) => /^content-type$/i.test(name) && /\bx-www-form-urlencoded\b/i.test(value),
  );
  return isForm ? text.split('&').sort().join('&') : text;
}
