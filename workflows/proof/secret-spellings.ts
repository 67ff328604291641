/** What nothing on the way writes otherwise. Source: RFC 3986 §2.3. */
const plain = /^[\w.~-]*$/;

const named: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const escapes: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

/**
 * A pattern for a text as it may stand in addresses, forms, pages and JSON, each character in any of their spellings.
 * It takes time that grows linearly.
 */
export function spellingsOf(text: string): RegExp | string {
  if (plain.test(text)) return text;
  return new RegExp([...text.toWellFormed()].map(spellingsOfCharacter).join(''), 'g');
}

function spellingsOfCharacter(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (plain.test(character)) return literal;
  const code = character.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`);
  const units = character.split('').map((unit) => `\\\\u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const spellings = [
    percent.join(''),
    units.join(''),
    `&#0{0,5}${code};`,
    `&#[xX]0{0,5}${anyCase(code.toString(16))};`,
    ...(named[character] ? [`&${named[character]};`] : []),
    ...(escapes[character] ? [`\\\\${escapes[character]}`] : []),
    ...('"\'\\/'.includes(character) ? [`\\\\${literal}`] : []),
    ...(character === ' ' ? ['\\+'] : []),
    literal,
  ];
  return `(?:${spellings.join('|')})`;
}

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
