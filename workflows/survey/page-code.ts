import { createHash } from 'node:crypto';
import type { PageShape } from '../model/surface.ts';
import { normaliseRoute } from '../probe/routes.ts';
import type { ParsedPage } from './page.ts';
import { likenessOf } from './page-shape.ts';

/** Pages that share so much of how they are built give their script the same to work with. */
const likeness = 0.7;
const maxLength = 64 * 1024;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const quotedAddress = /["'`]((?:https?:\/\/|\.{0,2}\/)[\w.~/-]{1,300})/g;

/** Tells pages apart by the script that they run: "" for pages without any. */
export function createPageCodes(): (
  page: Pick<ParsedPage, 'scripts' | 'inlineScripts' | 'handlers' | 'shape'>,
) => string {
  const groups: PageShape[] = [];
  const groupOf = (shape: PageShape): number => {
    const known = groups.findIndex((group) => likenessOf(group, shape) >= likeness);
    return known === -1 ? groups.push(shape) - 1 : known;
  };
  return ({ scripts, inlineScripts, handlers, shape }) => {
    if (scripts.length === 0 && handlers.length === 0) return '';
    const files = scripts.flatMap(({ url }) => (url === undefined ? [] : [normaliseRoute(url)]));
    const names = namesOf([...inlineScripts, ...handlers].join('\n'));
    const hash = createHash('sha256').update([...files.sort(), ...names].join(' '));
    return `${hash.digest('base64')} ${groupOf(shape)}`;
  };
}

/** Names in code and routes in its texts, each once: what is data in it differs from page to page. */
function namesOf(given: string): string[] {
  const code = given.slice(0, maxLength);
  const routes = [...code.matchAll(quotedAddress)].map(([, address = '']) => normaliseRoute(address));
  return [...new Set([...routes, ...(code.replace(quoted, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [])])].sort();
}
