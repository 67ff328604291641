import type { Omission } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import { scopeOf } from '../probe/scope.ts';

/** A site that answers with nothing but a redirect to another one has not been looked at, whatever the checks say of the redirect. */
export function leadsElsewhere({ url, origins, pages }: Pick<Surface, 'url' | 'origins' | 'pages'>): Omission[] {
  const scope = scopeOf(url);
  const isSeen = pages.some(({ status, contentType }) => status === 200 && contentType === 'text/html');
  const [target] = origins.flatMap(({ redirectsTo }) =>
    redirectsTo === undefined || scope.coversUrl(redirectsTo) ? [] : [new URL(redirectsTo).origin],
  );
  if (isSeen || target === undefined) return [];
  return [
    { code: 'leads_elsewhere', subject: 'survey', count: 1, text: `the site leads to ${target}: scan that address` },
  ];
}
