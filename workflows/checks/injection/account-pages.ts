import type { Identity } from '../../model/identity.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { furtherAccounts } from '../accounts/further-accounts.ts';
import { labelledInputs } from '../accounts/registering-labels.ts';
import { isOfAccount, type Registration } from '../accounts/registrations.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';

/** They are all sent at once. */
const maxFields = 6;

/**
 * What further accounts can be registered with, and where it may be shown.
 * @returns instead why no account is opened
 */
export async function accountTexts(context: CheckContext) {
  const accounts = furtherAccounts(context, 'it opens accounts, which stay', 'reads-only');
  if (!('user' in accounts)) return accounts;
  const { user, recipe } = accounts;
  const registration = await openInput(context, accounts.registration);
  const login = await accountLogin(context, user, recipe);
  const fields = atMost(context, freeTexts(context.surface, registration), maxFields, 'texts of a registration');
  return { user, registration, login, fields, pages: pagesOfAccount(context, user) };
}

/** Where the name of an account, or further texts of its registration, are sent, and what they are called. */
export function placeOfTexts({ url, parameter, route }: Registration, fields: readonly string[]) {
  const hasTexts = fields.length > 0;
  return {
    location: {
      ...{ url, method: 'POST', parameterIn: 'body' as const },
      parameter: hasTexts ? fields.join(', ') : parameter,
    },
    route,
    text: hasTexts ? `What an account is registered with (${fields.join(', ')})` : 'The name of an account',
  };
}

/** Pages that an account is shown and nobody else, one of each route. */
function pagesOfAccount({ surface, surfaces }: CheckContext, { name, checkUrl }: Identity): string[] {
  const open = new Set(surface.pages.filter(({ status }) => status === 200).map(({ url }) => url));
  const own = (surfaces[name]?.pages ?? []).filter(
    ({ url, status, contentType }) => status === 200 && /html|json/i.test(contentType) && !open.has(url),
  );
  const urls = [checkUrl, ...own.map(({ url }) => url)].map((url) => url.replace(/#.*$/s, ''));
  return [...new Map(urls.toReversed().map((url) => [partRoute(url), url])).values()].toReversed();
}

/** Texts of a registration beside the name, the mail address and the password, that nobody has filled in. */
function freeTexts(surface: CheckContext['surface'], { url, method, route, parameter }: Registration): string[] {
  const own = labelledInputs(surface).filter(
    (each) => each.url === url && each.method === method && each.route === route,
  );
  const texts = own.filter((each) => each.in === 'body' && each.sample === '' && /^[\w-]{1,40}$/.test(each.parameter));
  const names = new Set(texts.map((each) => each.parameter).filter((name) => name !== parameter && !isOfAccount(name)));
  return [...names];
}
