import { firstMatch } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { fileError } from '../files/traversal-payloads.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { sendInput } from '../inputs/open-input.ts';

/**
 * Whether what a value names is opened to be read, so that a file of the server's may be named. What is in an address, a cookie or a
 * header is. What a request has in its body may be the name that something is stored under: then whatever has that name is lost. It
 * is read where a name that nothing has is answered otherwise than the site's own value; what stores takes both.
 */
export async function isReader(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (input.in !== 'body') return true;
  const ask = (value: string) => sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce));
  const own = await ask(input.sample);
  if (own.status >= 400) return false;
  const [ending = ''] = /\.\w{1,5}$/.exec(input.sample) ?? [];
  const lacking = await ask(`‹nonce›${ending}`);
  const saysFile = (text: string) => firstMatch(fileError, text) !== undefined;
  return lacking.status >= 400 || (saysFile(lacking.text) && !saysFile(own.text));
}
