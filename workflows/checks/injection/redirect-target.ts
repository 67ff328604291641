import type { Exchange } from '../../model/http.ts';

/** Where an answer leads to. */
export function targetOf(answer: Exchange): string | undefined {
  const location = answer.header('location');
  if (answer.status < 300 || answer.status >= 400 || location === undefined) return undefined;
  const target = URL.parse(location, answer.request.url);
  if (!target) return undefined;
  target.hash = '';
  return target.href;
}
