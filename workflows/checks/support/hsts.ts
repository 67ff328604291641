/** What a Strict-Transport-Security header does to a browser. */
export type HstsPolicy = { effective: true; maxAgeSeconds: number } | { effective: false; reason: string };

/** RFC 9110 §5.6: a token, or a string in quotes. */
const directive = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~\w-]+)\s*)?$/;

/**
 * Reads the header as a browser does: the first one counts, and one that breaks the grammar is ignored as a whole.
 * Source: RFC 6797 §6.1 and §8.1.
 */
export function readHsts(values: readonly string[]): HstsPolicy {
  const [first] = values;
  if (first === undefined) return { effective: false, reason: 'The header is absent.' };
  const seen = new Map<string, string>();
  for (const part of first.split(';')) {
    if (part.trim() === '') continue;
    const [, name, value = ''] = directive.exec(part) ?? [];
    if (name === undefined) return { effective: false, reason: `"${part.trim().slice(0, 80)}" breaks its grammar.` };
    const key = name.toLowerCase();
    if (seen.has(key)) return { effective: false, reason: `The directive ${key} stands there twice.` };
    seen.set(key, value.replace(/^"|"$/g, ''));
  }
  const maxAge = seen.get('max-age');
  if (maxAge === undefined) return { effective: false, reason: 'The directive max-age, which is required, is absent.' };
  if (!/^\d+$/.test(maxAge)) return { effective: false, reason: 'max-age is not a number of seconds.' };
  if (Number(maxAge) === 0) return { effective: false, reason: 'max-age=0 tells browsers to forget the policy.' };
  return { effective: true, maxAgeSeconds: Number(maxAge) };
}
