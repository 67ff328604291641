import type { Surface } from '../../model/surface.ts';
import { isBelow } from '../../probe/dns/names.ts';

/** Other names of the domain that the pages of the site lead to. */
export function namesSeen({ pages, forms, skipped }: Surface, domain: string): string[] {
  const urls = [
    ...skipped.map(({ url }) => url),
    ...forms.map(({ action }) => action),
    ...pages.flatMap(({ scripts }) => scripts.flatMap(({ url }) => url ?? [])),
  ];
  const hosts = urls.flatMap((url) => URL.parse(url)?.hostname.toLowerCase() ?? []);
  return [...new Set(hosts)].filter((name) => isBelow(name, domain));
}
