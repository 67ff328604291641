import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import type { Login } from './login.ts';
import { textAt } from './page-text.ts';
import { type ShownAccount, shownAccounts } from './shown-accounts.ts';

/** Where people are told how to get in. */
const helping =
  /(?:^|[/_-])(?:log-?in|sign-?in|help|faq|about|readme|docs?|demo|welcome|start|intro(?:duction)?)(?:$|[/_.-])/i;
const maxPages = 6;

/** Accounts that the page of a login, the first page and those that help have for everybody to read; each once. */
export async function accountsShownBy(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  { input }: Login,
): Promise<ShownAccount[]> {
  const { http, surface } = context;
  const helpful = surface.pages.filter(({ url, status }) => status === 200 && helping.test(new URL(url).pathname));
  const urls = new Set([input.page?.url ?? input.url, surface.url, ...helpful.map(({ url }) => url)]);
  const found: ShownAccount[] = [];
  for (const url of atMost(context, [...urls], maxPages, 'pages with words of help'))
    found.push(...shownAccounts(await textAt(http, url)));
  return [...new Map(found.toReversed().map((each) => [JSON.stringify(each.pair), each])).values()].toReversed();
}
