import type { Exchange, HeaderList } from '../../model/http.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { resolve } from '../../probe/html/links.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { commonAdminPaths, isAdministration } from '../pages/admin-paths.ts';
import { isRefusing } from './refused-page.ts';

const maxLinks = 4;

/**
 * Pages that refuse a visitor and that no page of theirs leads to: those that pages of theirs link to under a changed header, and
 * usual addresses of an administration.
 */
export async function unlinkedPages(
  context: CheckContext,
  own: readonly Exchange[],
  changes: readonly HeaderList[],
): Promise<string[]> {
  const known = new Set(own.flatMap((each) => [...linksIn(each)]));
  const links: string[] = [];
  for (const { request } of own)
    for (const headers of changes) {
      const answer = await answerAt(context, request.url, headers);
      if (answer?.status === 200) links.push(...[...linksIn(answer)].filter((link) => !known.has(link)));
    }
  const likely = likeliest(context, [...new Set(links)], maxLinks, 'links that are shown to others');
  const usual = commonAdminPaths.filter(isAdministration).map((path) => new URL(path, context.surface.url).href);
  const refused: string[] = [];
  for (const each of new Set([...likely, ...usual])) {
    const answer = await answerAt(context, each);
    if (answer && isRefusing(answer)) refused.push(each);
  }
  return refused;
}

function linksIn({ text, request, header }: Exchange): Set<string> {
  if (!/html/.test(header('content-type') ?? '')) return new Set();
  const { origin } = new URL(request.url);
  const targets = [...nodesOf(text)].flatMap((node) =>
    isElement(node) && node.tagName === 'a' ? (resolve(attributeOf(node, 'href'), request.url) ?? []) : [],
  );
  return new Set(targets.filter((target) => new URL(target).origin === origin));
}

/** @returns undefined for what is left out on purpose */
async function answerAt({ http }: CheckContext, url: string, headers: HeaderList = []): Promise<Exchange | undefined> {
  try {
    return await http.get(url, { headers });
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}
