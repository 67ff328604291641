/** Attributes that hold the address of something to look at. Source: HTML Standard, index of attributes. */
export const linkAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  frame: 'src',
  iframe: 'src',
  object: 'data',
  embed: 'src',
};

/** Absolute http or https URL without fragment, or undefined. */
export function resolve(value: string | undefined, base: string): string | undefined {
  const url = value === undefined ? null : URL.parse(value.trim(), base);
  if (!url) return undefined;
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
