import { isIP } from 'node:net';

/**
 * Top-level domains that browsers ship with HSTS for every name below them; the registries require HTTPS there.
 * Source: https://hstspreload.org and Chromium's transport_security_state_static.json.
 */
const preloadedSuffixes =
  /\.(?:app|bank|boo|dad|day|dev|esq|foo|ing|insurance|meme|mov|new|nexus|page|phd|prof|rsvp|zip)\.?$/;

/** Why a policy would change nothing for this host; undefined when it would. */
export function hstsNotNeeded(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return 'Browsers ignore HSTS for IP addresses (RFC 6797 §8.1.1).';
  if (preloadedSuffixes.test(bare)) return 'Browsers enforce HTTPS for every name of this top-level domain.';
  return undefined;
}

/** What a Strict-Transport-Security header does to a browser. */
type HstsPolicy = { effective: true; maxAgeSeconds: number } | { effective: false; reason: string };

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
  if (Number(maxAge) === 0) return { effective: false, reason: 'max-age=0 makes browsers forget the policy.' };
  return { effective: true, maxAgeSeconds: Number(maxAge) };
}
