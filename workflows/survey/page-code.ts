import { createHash } from 'node:crypto';
import type { ExploredPage } from '../model/surface.ts';
import { programRoute } from '../probe/routes.ts';
import type { ParsedPage } from './page.ts';
import { likenessOf } from './page-shape.ts';

/** Pages that share so much of how they are built give their script the same to work with. */
const likeness = 0.7;
const maxLength = 64 * 1024;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const codeFile = /\.m?js(?:[?#]|$)/;
const quotedAddress = /["'`]((?:https?:\/\/|\.{0,2}\/)[\w.~/-]{1,300})/g;

/** The script that a page runs, by a hash: "" for pages without any. */
export function codeOfPage({
  scripts,
  inlineScripts,
  handlers,
}: Pick<ParsedPage, 'scripts' | 'inlineScripts' | 'handlers'>): string {
  if (scripts.length === 0 && handlers.length === 0) return '';
  const files = scripts.flatMap(({ url }) => (url === undefined ? [] : [programOf(url)]));
  const names = namesOf([...inlineScripts, ...handlers].join('\n'));
  return createHash('sha256')
    .update([...files.sort(), ...names].join(' '))
    .digest('base64');
}

/** Whether two pages run the same script on what is built alike. */
export const runAlike = (one: ExploredPage, other: ExploredPage): boolean =>
  one.code === other.code &&
  (one.shape && other.shape ? likenessOf(one.shape, other.shape) >= likeness : one.shape === other.shape);

/** Bundlers give each part of an application a file, whose name differs from others' by a hash alone: these are taken as they are. */
const programOf = (address: string): string =>
  codeFile.test(address) ? address.replace(/[?#].*$/s, '') : programRoute(address);

/** Names in code and programs that its texts name, each once: what is data in it differs from page to page. */
function namesOf(given: string): string[] {
  const code = given.slice(0, maxLength);
  const routes = [...code.matchAll(quotedAddress)].map(([, address = '']) => programOf(address));
  return [...new Set([...routes, ...(code.replace(quoted, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [])])].sort();
}
