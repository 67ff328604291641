import { childrenOf, referenceOf, type XmlElement } from './xml-tree.ts';

/** What a schema says, by name. Names that several namespaces have are those of the first. */
export type SchemaParts = {
  elements: ReadonlyMap<string, SchemaPart>;
  types: ReadonlyMap<string, SchemaPart>;
};
/** @property isQualified elements within it are of its namespace */
export type SchemaPart = { part: XmlElement; namespace: string; isQualified: boolean };

/** Elements and types of one body; what goes on is left empty. */
const maxElements = 120;
const maxDepth = 8;

const samples: Record<string, string> = {
  boolean: 'true',
  decimal: '1',
  double: '1',
  float: '1',
  date: '2026-01-31',
  dateTime: '2026-01-31T12:00:00Z',
  time: '12:00:00',
  gYear: '2026',
  duration: 'P1D',
  base64Binary: 'YQ==',
  hexBinary: '61',
  anyURI: 'https://example.com/',
};
const isInteger = (type: string): boolean =>
  /^(?:unsigned|positive|nonNegative)?(?:Int(?:eger)?|int|integer|Long|long|Short|short|Byte|byte)$/.test(type);

/** Writes elements with values that their types allow. Source: XML Schema 1.0, parts 1 and 2. */
export function createSampler({ elements, types }: SchemaParts) {
  let left = maxElements;

  /** @param within where it is declared */
  const element = (declared: XmlElement, within: Omit<SchemaPart, 'part'>, depth: number, isGlobal = false): string => {
    const reference = referenceOf(declared, 'ref');
    const known = elements.get(reference);
    if (reference !== '') return known ? element(known.part, known, depth, true) : '';
    const name = declared.attributes.get('name') ?? '';
    if (!/^[A-Za-z_][\w.-]{0,100}$/.test(name) || left <= 0 || depth > maxDepth) return '';
    left -= 1;
    const form = declared.attributes.get('form');
    const isQualified = isGlobal || (form === undefined ? within.isQualified : form === 'qualified');
    const type = declared.attributes.get('type');
    const content = type === undefined ? contentOf(declared, within, depth + 1) : typed(type, depth + 1);
    return `<${name} xmlns="${escaped(isQualified ? within.namespace : '')}">${content}</${name}>`;
  };
  const typed = (reference: string, depth: number): string => {
    const name = reference.replace(/^[^:]*:/, '');
    const known = types.get(name);
    if (known) {
      // Types may be built of each other without any element.
      left -= 1;
      return contentOf(known.part, known, depth);
    }
    return samples[name] ?? (isInteger(name) ? '1' : 'test');
  };
  /** Of a type, or of an element that has its type within it. */
  const contentOf = (holder: XmlElement, within: Omit<SchemaPart, 'part'>, depth: number): string => {
    if (depth > maxDepth || left <= 0) return '';
    return holder.children
      .map((child) => {
        if (child.name === 'element') return element(child, within, depth);
        if (child.name === 'restriction' && childrenOf(holder, 'restriction').includes(child)) {
          const [first] = childrenOf(child, 'enumeration');
          if (first) return escaped(first.attributes.get('value') ?? '');
        }
        if (child.name === 'extension' || child.name === 'restriction')
          return typed(child.attributes.get('base') ?? '', depth + 1) + contentOf(child, within, depth);
        // One of several will do.
        if (child.name === 'choice')
          return contentOf({ ...child, children: child.children.slice(0, 1) }, within, depth);
        return /^(?:sequence|all|complexType|simpleType|complexContent|simpleContent)$/.test(child.name)
          ? contentOf(child, within, depth)
          : '';
      })
      .join('');
  };
  return {
    /** A global element of this name; undefined when the schema has none. */
    global(name: string): string | undefined {
      const known = elements.get(name);
      return known && element(known.part, known, 0, true);
    },
    /** An element without a namespace, of a type. */
    part: (name: string, type: string): string =>
      /^[A-Za-z_][\w.-]{0,100}$/.test(name) ? `<${name} xmlns="">${typed(type, 1)}</${name}>` : '',
  };
}

export const escaped = (text: string): string =>
  text.slice(0, 500).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
