import type { HtmlToken } from '../probe/html/tokens.ts';
import { hashOf } from './page-shape.ts';

/** What script can take hold of in a page, each as a hash, without the numbers of what is shown. */
export type ScriptHooks = number[];

const maxHooks = 200;
const maxNameLength = 80;
const fields = /^(?:input|select|textarea|button)$/;
/** Anchors of the text, which no script needs. */
const headings = /^(?:h[1-6]|section|dt|a)$/;

const nameOf = (text: string): string => text.slice(0, maxNameLength).replace(/\d+/g, '0');

/** Fields and buttons by their names, elements by their identifiers, names of data, and classes that are meant for script. */
export function hookReader(): { read(token: HtmlToken): void; hooks(): ScriptHooks } {
  const hooks = new Set<number>();
  const add = (hook: string) => {
    if (hooks.size < maxHooks) hooks.add(hashOf(hook));
  };
  return {
    read(token) {
      if (token.kind !== 'start' || hooks.size >= maxHooks) return;
      const { name, attributes } = token;
      const id = attributes.get('id');
      if (fields.test(name))
        add(`${name} ${attributes.get('type') ?? ''} ${nameOf(attributes.get('name') ?? id ?? '')}`);
      else if (id !== undefined && !headings.test(name)) add(`#${nameOf(id)}`);
      for (const attribute of attributes.keys()) if (attribute.startsWith('data-')) add(nameOf(attribute));
      for (const each of (attributes.get('class') ?? '').slice(0, 200).split(/\s+/))
        if (each.startsWith('js-')) add(`.${nameOf(each)}`);
    },
    hooks: () => [...hooks],
  };
}
