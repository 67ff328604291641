import { refusedAsCall } from '../probe/gate/called.ts';
import { resolve } from '../probe/html/links.ts';
import type { ClientAddresses } from './client-addresses.ts';
import type { FragmentRoutes } from './fragment-routes.ts';
import type { Frontier } from './frontier.ts';
import { type Lead, leadSource } from './lead.ts';
import { type Links, linksInScript } from './text.ts';

type Followers = {
  frontier: Pick<Frontier, 'add' | 'leave'>;
  routesBehind: Pick<FragmentRoutes, 'table'>;
  client: ClientAddresses;
};

/**
 * Gives the frontier what a script mentions. What is relative in it may be so to the page that it runs in, or to itself; modules that it
 * imports are so to itself alone. @param bases the page, and the script's own address where it has one
 */
export function followScript(
  script: string,
  [base, ...otherBases]: [string, ...string[]],
  source: string,
  { frontier, routesBehind, client }: Followers,
): void {
  // A link to the same address shows that it is a page.
  const add = (lead: Lead) => {
    const refused = refusedAsCall(lead.url);
    const { isGuess: _, ...known } = lead;
    if (refused) frontier.add({ ...known, isAsked: true }, refused);
    else frontier.add(lead);
  };
  const { links, guesses, made, routes, madeRoutes, relative, modules, called } = linksInScript(script, base, client);
  const inTable = new Set(routes.urls);
  for (const url of links.urls) add({ url, source: inTable.has(url) ? leadSource.routeTable : source });
  if (links.left > 0) frontier.leave(links.urls.at(-1) ?? '', links.left);
  const further = otherBases.flatMap((other) => relative.flatMap((address) => resolve(address, other) ?? []));
  const own = otherBases.at(-1) ?? base;
  for (const url of modules.flatMap((address) => resolve(address, own) ?? [])) add({ url, source });
  for (const url of [...guesses.urls, ...further]) add({ url, source, isGuess: true });
  for (const url of routes.urls) add({ url, source: leadSource.routeTable, isGuess: true });
  for (const url of madeRoutes.urls) add({ url, source: leadSource.routeTable, isGuess: true, isMade: true });
  for (const { url, isMade } of called.addresses) add({ url, source, isGuess: true, ...(isMade && { isMade }) });
  for (const url of made.urls) add({ url, source, isGuess: true, isMade: true });
  routesBehind.table(routes.urls, 'by-routes');
  routesBehind.table(madeRoutes.urls, 'by-sample');
  const left = [guesses, made, routes, madeRoutes, called].reduce((sum, each) => sum + each.left, 0);
  if (left > 0) frontier.leave(base, left);
}

export function followLinks(frontier: Followers['frontier'], { urls, left }: Links, source: string): void {
  for (const url of urls) frontier.add({ url, source });
  if (left > 0) frontier.leave(urls.at(-1) ?? '', left);
}
