import type { FormControl as Control } from '../probe/html/controls.ts';

type SelectorPart = (control: Control) => boolean;

const token = String.raw`[\w-]|[^\x00-\x7f]|\\.`;
const parts: readonly [RegExp, (match: RegExpExecArray) => SelectorPart][] = [
  [
    new RegExp(`^#((?:${token})+)`),
    ([, id = '']) =>
      (control) =>
        control.id === unescaped(id),
  ],
  [
    new RegExp(String.raw`^\.((?:${token})+)`),
    ([, name = '']) =>
      (control) =>
        (control.attribute('class') ?? '').split(/\s+/).includes(unescaped(name)),
  ],
  [
    /^\[\s*([\w-]+)\s*(?:([~|^$*]?)=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s"']+))\s*)?\]/,
    ([, name = '', operator, ...values]) => {
      const wanted = values.find((value) => value !== undefined);
      return (control) => {
        const value = control.attribute(name.toLowerCase());
        return value !== undefined && (wanted === undefined || matches(value, operator ?? '', wanted));
      };
    },
  ],
];

/**
 * The control that a person named: by its name, or by a compound CSS selector (Selectors Level 4 §3.1), for instance
 * `#email` or `input[type=email].login`.
 * @returns undefined when there is none, and for selectors that say more, which only a browser reads
 */
export function findControl(controls: readonly Control[], given: string): Control | undefined {
  return controls.find(({ name }) => name === given) ?? controls.find(compound(given) ?? (() => false));
}

/** Whether only a browser can resolve it: the selector has combinators, commas or pseudo-classes. */
export const needsBrowser = (given: string): boolean => given !== '' && compound(given) === undefined;

function compound(selector: string): SelectorPart | undefined {
  let rest = selector.trim();
  const tag = /^(?:[a-z][\w-]*|\*)/i.exec(rest)?.[0];
  const found: SelectorPart[] =
    tag === undefined || tag === '*' ? [] : [(control) => control.tag === tag.toLowerCase()];
  rest = rest.slice(tag?.length ?? 0);
  while (rest !== '') {
    const [match, make] =
      parts.map(([pattern, part]) => [pattern.exec(rest), part] as const).find(([hit]) => hit !== null) ?? [];
    if (!match || !make) return undefined;
    found.push(make(match));
    rest = rest.slice(match[0].length);
  }
  return (control) => found.every((part) => part(control));
}

function matches(value: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case '^':
      return wanted !== '' && value.startsWith(wanted);
    case '$':
      return wanted !== '' && value.endsWith(wanted);
    case '*':
      return wanted !== '' && value.includes(wanted);
    case '~':
      return value.split(/\s+/).includes(wanted);
    case '|':
      return value === wanted || value.startsWith(`${wanted}-`);
    default:
      return value === wanted;
  }
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
