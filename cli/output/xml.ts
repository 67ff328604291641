/** Characters that no XML 1.0 document may hold, not even as references. Source: XML 1.0 §2.2. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const clean = (text: string) => text.toWellFormed().replace(forbidden, '\ufffd');

/** An element with its attributes; those that are undefined are left out. @param content elements, as they come from here */
export function element(
  name: string,
  attributes: Record<string, string | number | undefined>,
  ...content: readonly string[]
): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [` ${key}="${clean(String(value)).replace(/[&<>"\t\n\r]/g, (c) => references[c] ?? c)}"`],
  );
  const inner = content.join('');
  return inner === '' ? `<${name}${given.join('')}/>` : `<${name}${given.join('')}>${inner}</${name}>`;
}

export const textNode = (value: string): string => clean(value).replace(/[&<>\r]/g, (c) => references[c] ?? c);
