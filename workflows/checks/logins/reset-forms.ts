import type { HttpAction } from '../../model/experiment.ts';
import type { InputSurface, PageToken } from '../../model/surface.ts';
import { secretNames } from '../../probe/gate/words/fields.ts';
import { regainsAccess, renewsPassword } from '../../probe/gate/words/passwords.ts';
import { decoded, folded } from '../../probe/gate/words/spelling.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';

const nameFields =
  /^(?:.*[._-])?(?:user[_-]?(?:name|id)?|login|nick(?:name)?|name|account|identifier|e?-?mail(?:[_-]?address)?)$/i;

/** Requests that ask for a new password by a name alone; each once. */
export function resetsIn(inputs: readonly InputSurface[]): InputSurface[] {
  const found = inputs.filter(
    ({ method, in: place, url, title = '', page, parameter, others }) =>
      method === 'POST' &&
      place === 'body' &&
      nameFields.test(parameter) &&
      !others.some(
        ({ name }) => !isGiven(page?.tokens, name) && (secretNames.test(name) || /pass|token|code/i.test(name)),
      ) &&
      [namedPath(url), title, page ? namedPath(page.url) : ''].some(
        (text) =>
          renewsPassword.test(folded(decoded(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))) ||
          (others.length === 0 && regainsAccess.test(text)),
      ),
  );
  return [...new Map(found.map((each) => [each.url, each])).values()];
}

/** Its page gives it to each visitor anew, which no mail does. */
const isGiven = (tokens: readonly PageToken[] = [], name: string): boolean =>
  tokens.some((token) => 'field' in token && token.field === name);

/** The request that asks for a new password of this name. */
export const resetOf = (input: OpenedInput, name: string): HttpAction => ({
  ...inputAction(input, name),
  lasting: {
    description: 'A new password was asked for, for a test identity or a name that nobody has; none was set.',
    place: input.page?.url ?? input.url,
    registers: true,
  },
});
