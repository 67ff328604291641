const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/**
 * A text without what HTML, JSON and addresses write characters by, so that two texts can be compared that were written in
 * different ways; an address in an address, as links to a login have, is written so twice or more. It is for comparing only: a text that
 * had such a way of writing in it loses that, too.
 */
export const decodedText = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(lt|gt|quot|apos|amp));/gi, (_whole, decimal, hex, name) =>
      name === undefined ? charOf(decimal, hex) : (named[String(name).toLowerCase()] ?? ''),
    )
    .replace(/\\u00([\da-f]{2})|\\x([\da-f]{2})|%(?:25){0,3}([\da-f]{2})/gi, (_whole, json, script, address) =>
      charOf(undefined, json ?? script ?? address),
    )
    .replace(/\\(["'/\\`$])/g, '$1');

const charOf = (decimal: string | undefined, hex: string | undefined): string =>
  String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal));
