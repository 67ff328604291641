import type { NamedSetting } from './named-setting.ts';

const maxLines = 5_000;

const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/, maxLines);

/** NAME=value, and nothing else but comments and the further lines of quoted values. */
export function envSettings(text: string): NamedSetting[] | undefined {
  const settings: NamedSetting[] = [];
  let quote = '';
  for (const line of linesOf(text)) {
    if (quote !== '') {
      if (line.trimEnd().endsWith(quote)) quote = '';
      continue;
    }
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.]{0,99})\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    const [open = ''] = /^["']/.exec(value) ?? [];
    if (open !== '' && !value.slice(1).includes(open)) quote = open;
    settings.push({ name, value: unquoted(value) });
  }
  return quote === '' && settings.length > 0 ? settings : undefined;
}

/** "[section]", "name = value" or "name: value"; a name alone is a switch. Three lines in four have to be of these forms. */
export function iniSettings(text: string): NamedSetting[] | undefined {
  const settings: NamedSetting[] = [];
  let section = '';
  let others = 0;
  for (const line of linesOf(text)) {
    if (/^\s*(?:[#;!].*|[\w-]{1,60})?$/.test(line)) continue;
    const head = /^\s*\[{1,2}([^\]\r\n]{1,120})\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1];
    const [, name, value = ''] = /^\s*([A-Za-z_"][\w."/-]{0,119})\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (head !== undefined) section = `${head.trim().replace(/\s+/g, ' ')}.`;
    else if (name === undefined) others += 1;
    else settings.push({ name: `${section}${name.replaceAll('"', '')}`, value: unquoted(value) });
  }
  return settings.length > 0 && others <= settings.length / 3 ? settings : undefined;
}

/** A literal that is assigned, given to `define`, or a member of a map. Bounded, so that they take linear time. */
const literals: readonly RegExp[] = [
  /\b(?:define|putenv|ini_set)\(\s{0,5}["']([\w.-]{1,80})["']\s{0,5},\s{0,5}(["'])([^"'\r\n]{0,400})\2/g,
  /["']([\w.-]{1,80})["']\s{0,5}(?:=>|:)\s{0,5}(["'])([^"'\r\n]{0,400})\2/g,
  /(?<![\w$.])\$?((?:[A-Za-z_][\w]{0,60}(?:->|\.|\[["']))?[A-Za-z_]\w{0,60})(?:["']\])?\s{0,10}=\s{0,5}(["'])([^"'\r\n]{0,400})\2/g,
];

/** Source that is sent instead of being run: it begins as its language does, and is no page. */
export function codeSettings(text: string): NamedSetting[] | undefined {
  const isCode =
    /^[ \t]*(?:#!\S|<\?php\b)|^(?:import|from|require|use|const|module\.exports|export default|package)\b|^[A-Z][A-Z_]{2,40} = /m;
  if (/^\s*<(?!\?php)/.test(text) || !isCode.test(text)) return undefined;
  const settings = literals.flatMap((literal) =>
    [...text.matchAll(literal)].map(([, name = '', , value = '']) => ({ name: plain(name), value })),
  );
  return settings.length > 0 ? settings : undefined;
}

const plain = (name: string): string => name.replace(/->|\[["']/g, '.');

function unquoted(value: string): string {
  const [, , inside] = /^(["'])(.*?)\1/.exec(value) ?? [];
  return inside ?? value.replace(/\s[#;].*$/s, '').trim();
}
