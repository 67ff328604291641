import { inputAction } from '../checks/inputs/input-request.ts';
import { isLoginForm } from '../checks/inputs/reading-requests.ts';
import type { HeaderList } from '../model/http.ts';
import type { InputSurface, Surface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';

/**
 * A surface without what the gate refuses to ask for again: checks see the places that they may look at.
 * @param headers of the session that looks; none by default
 */
export function gatedSurface(surface: Surface, gate: Pick<Gate, 'decide'>, headers: HeaderList = []): Surface {
  const isAllowed = (request: Parameters<Gate['decide']>[0]): boolean => gate.decide(request).allowed;
  const inputs: InputSurface[] = [];
  const heldInputs: InputSurface[] = [];
  for (const input of surface.inputs) {
    const decision = gate.decide(requestOf(input, headers));
    if (!decision.allowed) heldInputs.push(input);
    else inputs.push(decision.writes ? { ...input, isStored: true } : input);
  }
  const pages = surface.pages.filter(({ url }) => isAllowed({ method: 'GET', url, headers }));
  // A login is distinguished from other inputs by its form.
  const forms = surface.forms.filter(
    (form) => isLoginForm(form) || isAllowed({ method: 'GET', url: form.pageUrl, headers }),
  );
  return { ...surface, pages, inputs, heldInputs, forms };
}

/** The request of an input with its sample. */
export function requestOf(input: InputSurface, headers: HeaderList) {
  const { method = input.method, url, headers: own = [], body } = inputAction(input, input.sample);
  return { method, url, headers: [...own, ...headers], body };
}
