import type { Refused } from '../../model/gate.ts';
import { changingCommandIn } from './acting-query.ts';
import { partsOf } from './parts.ts';

/**
 * Why an address that only script names is not asked for: what shows a form has a link, but what script calls by a word such as "update" mostly
 * does so at once, whatever the method.
 */
export function refusedAsCall(url: string): Refused | undefined {
  const word = URL.canParse(url) ? changingCommandIn(partsOf(url).parameters) : undefined;
  return word === undefined
    ? undefined
    : {
        allowed: false,
        code: 'would-act',
        reason: `script calls it, and it may do something: ${JSON.stringify(word)}`,
      };
}
