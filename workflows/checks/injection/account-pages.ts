import type { Identity } from '../../model/identity.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { labelledInputs } from '../accounts/registering-labels.ts';
import { isOfAccount, type Registration } from '../accounts/registrations.ts';
import type { CheckContext } from '../contract.ts';

/** Pages that an account is shown and nobody else, one of each route. */
export function pagesOfAccount({ surface, surfaces }: CheckContext, { name, checkUrl }: Identity): string[] {
  const open = new Set(surface.pages.filter(({ status }) => status === 200).map(({ url }) => url));
  const own = (surfaces[name]?.pages ?? []).filter(
    ({ url, status, contentType }) => status === 200 && /html|json/i.test(contentType) && !open.has(url),
  );
  const urls = [checkUrl, ...own.map(({ url }) => url)].map((url) => url.replace(/#.*$/s, ''));
  return [...new Map(urls.toReversed().map((url) => [partRoute(url), url])).values()].toReversed();
}

/** Texts of a registration beside the name, the mail address and the password, that nobody has filled in. */
export function freeTexts(surface: CheckContext['surface'], { url, method, route, parameter }: Registration): string[] {
  const own = labelledInputs(surface).filter(
    (each) => each.url === url && each.method === method && each.route === route,
  );
  const texts = own.filter((each) => each.in === 'body' && each.sample === '' && /^[\w-]{1,40}$/.test(each.parameter));
  const names = new Set(texts.map((each) => each.parameter).filter((name) => name !== parameter && !isOfAccount(name)));
  return [...names];
}
