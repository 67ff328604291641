import type { Omitted } from '../../orchestration/omissions.ts';
import type { Gate } from '../../probe/gate/gate.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { FormSurface, InputSurface, Surface } from '../contract.ts';
import { gatedSurface } from './gated-surface.ts';
import { inputsToProbe } from './probe-inputs.ts';
import { isLoginForm } from './reading-requests.ts';

/**
 * Forms and other requests with a body to which no check sends values of its own, since they would write.
 * @param others surfaces that have been counted
 */
export function unsentForms(surface: Surface, others: readonly Surface[], gate: Pick<Gate, 'decide'>): Omitted[] {
  const counted = new Set(others.flatMap((other) => unsentIn(other, gate)));
  const unsent = [...new Set(unsentIn(surface, gate))].filter((key) => !counted.has(key));
  const [first] = unsent;
  if (first === undefined) return [];
  const text = `${unsent.length} forms and requests were not sent: they would write (for instance ${first})`;
  return [{ code: 'would_write', count: unsent.length, text }];
}

function unsentIn(surface: Surface, gate: Pick<Gate, 'decide'>): string[] {
  const sent = gatedSurface(surface, { ...gate, count: () => {} });
  const probed = new Set(inputsToProbe(sent).map(keyOfInput));
  const forms = surface.forms
    .filter((form) => form.method === 'POST' && !isLoginForm(form))
    .map(({ action, method }) => keyOf(method, action));
  const inputs = surface.inputs.filter(({ method }) => method !== 'GET').map(keyOfInput);
  const logins = new Set(surface.forms.filter(isLoginForm).map(({ action, method }) => keyOf(method, action)));
  return [...forms, ...inputs].filter((key) => !probed.has(key) && !logins.has(key));
}

const keyOfInput = ({ method, url }: InputSurface): string => keyOf(method, url);

const keyOf = (method: FormSurface['method'] | InputSurface['method'], url: string): string =>
  `${method} ${normaliseRoute(url)}`;
