import { viewParts, viewStates, viewVerbs } from './words/views.ts';

const viewVerb = new RegExp(`^(?:${viewVerbs})$`, 'u');
const viewPart = new RegExp(`^(?:${`${viewParts}|${viewStates}`.replaceAll(' ?', '')})$`, 'u');

/** "hide-sidebar", "toggle view", "hide completed". */
export function changesView(tokens: readonly string[]): boolean {
  const [first = '', ...others] = tokens;
  const last = tokens.at(-1) ?? '';
  if (viewVerb.test(last) && others.length > 0 && viewPart.test(tokens.slice(0, -1).join(''))) return true;
  return viewVerb.test(first) && others.length > 0 && (viewPart.test(last) || viewPart.test(others.join('')));
}
