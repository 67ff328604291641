import type { InputSurface } from '../../model/surface.ts';

/**
 * The URL of a GET input with a value in its place and the other parameters as the site uses them.
 * @param encoded percent-encoded already, so that a caller decides how; "+" is never used for a space
 */
export function inputUrl(input: InputSurface, encoded: string): string {
  return input.in === 'path' ? pathUrl(input, encoded) : queryUrl(input, encoded);
}

/** A template's references to trial values stay as they are; everything else is percent-encoded. */
export const encodeTemplate = (template: string): string =>
  template
    .split(/(‹[^‹›]*›)/)
    .map((part) => (part.startsWith('‹') ? part : encodeURIComponent(part)))
    .join('');

/** Parameters of path inputs are the number of their segment, from 1, with the name of a matrix parameter perhaps. */
function pathUrl({ url, parameter }: InputSurface, encoded: string): string {
  const { origin, pathname, search } = new URL(url);
  const [place, name] = parameter.split(/;(.*)/s);
  let number = 0;
  const path = pathname
    .split('/')
    .map((segment) => (segment !== '' && ++number === Number(place) ? segmentWith(segment, name, encoded) : segment))
    .join('/');
  return origin + path + search;
}

/** Matrix parameters follow the name of a segment: "lamps;color=red;max=5". Source: RFC 3986 §3.3. */
function segmentWith(segment: string, name: string | undefined, encoded: string): string {
  if (name === undefined) return encoded;
  return segment
    .split(';')
    .map((part, index) => (index > 0 && part.startsWith(`${name}=`) ? `${name}=${encoded}` : part))
    .join(';');
}

function queryUrl({ url, parameter, others, isRepeated, renamed }: InputSurface, encoded: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const pairs = new Map([...searchParams].map(([name, value]) => [name, encodeURIComponent(value)]));
  for (const { name, value } of others) if (name !== '') pairs.set(name, encodeTemplate(value));
  if (!renamed) pairs.set(parameter, encoded);
  const again: [string, string][] = isRepeated ? [[parameter, encoded]] : [];
  const named = renamed ? [`${encoded}=${encodeURIComponent(renamed.value)}`] : [];
  const query = [...[...pairs, ...again].map(([name, value]) => `${encodeURIComponent(name)}=${value}`), ...named];
  return `${origin}${pathname}?${query.join('&')}`;
}
