import { SaxesParser } from 'saxes';
import { DocumentFault } from './draft.ts';

/** An element by its name without its prefix. @property attributes by their names as they are written */
export type XmlElement = {
  name: string;
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
};

/** The largest descriptions of services have some ten thousand. */
const maxElements = 50_000;
/** Real ones nest some fifteen deep. */
const maxDepth = 64;

/** Reads elements and their attributes, and no text. Nothing outside of the document is read. @throws DocumentFault */
export function readXmlTree(text: string): XmlElement {
  const root: XmlElement = { name: '', namespace: '', attributes: new Map(), children: [] };
  const open = [root];
  let count = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw new DocumentFault(`it is no XML: ${error.message.split('\n')[0]?.slice(0, 200)}`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    count += 1;
    if (count > maxElements) throw new DocumentFault(`it has more than ${maxElements} elements`);
    if (open.length > maxDepth) throw new DocumentFault('it is nested too deeply');
    const values = new Map(Object.values(attributes).map(({ name, value }) => [name, value]));
    const element: XmlElement = { name: local, namespace: uri, attributes: values, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root;
}

/** All elements below one, in their order. */
export function* elementsBelow(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    yield child;
    yield* elementsBelow(child);
  }
}

export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The name that an attribute refers to, without its prefix; "" when there is none. */
export const referenceOf = ({ attributes }: XmlElement, name: string): string =>
  (attributes.get(name) ?? '').replace(/^[^:]*:/, '');
