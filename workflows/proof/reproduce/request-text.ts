import type { HttpAction } from '../../model/experiment.ts';
import type { RequestText } from './request-words.ts';
import { type CommandText, literalOf } from './text.ts';

/** @param put puts the values into a template; those in a form's body are percent-encoded */
export function requestText(
  { method = 'GET', url, headers = [], body }: HttpAction,
  put: (template: string, isEncoded?: boolean) => CommandText,
): RequestText {
  const isForm = headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /urlencoded/i.test(value));
  return {
    method,
    url: put(url),
    headers: headers.map(([name, value]) => [literalOf(put(name)), put(value)] as const),
    ...(body === undefined ? {} : { body: put(body, isForm) }),
  };
}
