import type { FactInput } from '../../model/fact.ts';
import type { Routes, RouteTemplate } from '../pages/route-templates.ts';

/** Characters of a fact; what is far longer describes a public API rather than hides one. */
const maxLength = 4_000;

/** One fact for all routes of a document, so that they are gone through together. @param url of the document */
export function hiddenRoutes(url: string, { routes, left: before }: Routes): FactInput[] {
  const kept: RouteTemplate[] = [];
  let length = 0;
  for (const route of routes) {
    length += route.length + 1;
    if (length > maxLength) break;
    kept.push(route);
  }
  const left = before + routes.length - kept.length;
  const attributes = { routes: kept.join(' '), ...(left > 0 ? { left: String(left) } : {}) };
  return kept.length === 0 ? [] : [{ kind: 'hidden-routes', subject: url, attributes }];
}

export const routesOf = (attributes: Record<string, string>): Routes => ({
  routes: (attributes.routes ?? '').split(' ').filter(Boolean),
  left: Number(attributes.left ?? 0),
});
