import { unknownWord } from '../checks/injection/answer-words.ts';
import { referringPages } from '../checks/injection/referring-pages.ts';
import { inputAction } from '../checks/inputs/input-request.ts';
import { isLoginForm } from '../checks/inputs/reading-requests.ts';
import type { HeaderList } from '../model/http.ts';
import type { FormSurface, InputSurface, Surface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { formInputs } from '../survey/form-inputs.ts';
import { askedOnce } from './asked-gate.ts';

/**
 * A surface without what the gate refuses to ask for again: checks see the places that they may look at.
 * @param headers of the session that looks; none by default
 */
export function gatedSurface(surface: Surface, given: Pick<Gate, 'decide'>, headers: HeaderList = []): Surface {
  const gate = askedOnce(given);
  const isAllowed = (request: Parameters<Gate['decide']>[0]): boolean => gate.decide(request).allowed;
  const inputs: InputSurface[] = [];
  const heldInputs: InputSurface[] = [];
  for (const input of surface.inputs) {
    const decision = gate.decide(requestOf(input, headers));
    if (!decision.allowed) {
      const isOthers = decision.code === 'others-entry';
      heldInputs.push({
        ...input,
        ...(isOthers && { namesEntry: true as const }),
        ...(mayBePutBack(input, gate, headers) && { mayBePutBack: true as const }),
      });
      const own = isOthers
        ? inputsOf(surface.forms, input).find((each) => isAllowed(requestOf(each, headers)))
        : undefined;
      if (own) inputs.push({ ...own, isStored: true });
    } else {
      const namesEntry = isNumber(input) && !isAllowed(requestOf({ ...input, sample: otherNumber }, headers));
      const marks = { ...(decision.writes && { isStored: true as const }), ...(namesEntry && { namesEntry }) };
      // What is new has no number yet, and with one it would be somebody's entry.
      const tried = alone(input, (each) => isAllowed(requestOf(each, headers)));
      (namesEntry && input.sample === '' ? heldInputs : inputs).push({ ...tried, ...marks });
    }
  }
  const pages = surface.pages.filter(({ url }) => isAllowed({ method: 'GET', url, headers }));
  // A login is distinguished from other inputs by its form.
  const forms = surface.forms.filter(
    (form) => isLoginForm(form) || isAllowed({ method: 'GET', url: form.pageUrl, headers }),
  );
  return { ...surface, pages, inputs: [...inputs, ...readReferers(surface, gate, headers)], heldInputs, forms };
}

/** Of what is seen to store, and of what is not sent, the page that a visitor comes from is not tried. */
const readReferers = (surface: Surface, gate: Pick<Gate, 'decide'>, headers: HeaderList): InputSurface[] =>
  referringPages(surface).filter((input) => {
    const decision = gate.decide(requestOf(input, headers));
    return decision.allowed && !decision.writes;
  });

/** The same input of all forms that work on entries of this kind. */
const inputsOf = (forms: readonly FormSurface[], { method, route, parameter }: InputSurface): InputSurface[] =>
  forms
    .flatMap((form) =>
      form.method === method && normaliseRoute(form.action) === normaliseRoute(route) ? formInputs(form) : [],
    )
    .filter((input) => input.parameter === parameter);

/** A request that replaces what is there, and would be sent on a test system if it added something. */
function mayBePutBack(input: InputSurface, gate: Pick<Gate, 'decide'>, headers: HeaderList): boolean {
  if (input.method !== 'PUT' && input.method !== 'PATCH') return false;
  return gate.decide({ ...requestOf(input, headers), method: 'POST' }, 'lasting').allowed;
}

/**
 * A parameter that says which page or part is meant, as a link sends it, where a form that sends it along may be sent under its own
 * command alone: with a text of the form no other value would pass the gate.
 */
function alone(input: InputSurface, isAllowed: (input: InputSurface) => boolean): InputSurface {
  const { method, in: place, others, url } = input;
  if (method !== 'GET' || place !== 'query' || others.length === 0 || isAllowed({ ...input, sample: unknownWord }))
    return input;
  const byLink = { ...input, url: url.replace(/[?#].*$/s, ''), others: [] };
  return isAllowed(byLink) && isAllowed({ ...byLink, sample: unknownWord }) ? byLink : input;
}

/** No site has so many entries. */
const otherNumber = '481516234';
const isNumber = ({ method, sample }: InputSurface): boolean => method === 'POST' && /^\d*$/.test(sample);

/** The request of an input with its sample. */
export function requestOf(input: InputSurface, headers: HeaderList) {
  const { method = input.method, url, headers: own = [], body } = inputAction(input, input.sample);
  return { method, url, headers: [...own, ...headers], body };
}
