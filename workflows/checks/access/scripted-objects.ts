import type { Identity } from '../../model/identity.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { isGraphQlAddress } from '../../probe/graphql-address.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { filled, type RouteTemplate, routesInSources, unlinked } from '../pages/route-templates.ts';
import { inlineScript, isLibraryFile, ownScripts, pagesWithScript } from '../pages/scripts.ts';
import { type ObjectAddress, queriedObject } from '../sessions/objects.ts';
import { idsAtMost, isAbout, type OwnId, ownIdsOf } from './own-ids.ts';

/** An object of one user at an address that no answer names: script makes it of an identifier that an API has listed. */
type ScriptedObject = {
  object: ObjectAddress;
  owner: string;
  reader: string;
  /** The same of an object that the reader was given, and the owner was not. */
  readersOwn?: string;
  isPersonalKind: boolean;
  isSharedKind: boolean;
};

const maxScripts = 16;
const maxRoutes = 20;
const maxIds = 2;
const maxObjects = 12;

/** Objects of each of two users, by routes in the scripts of the site. @throws ProbeError */
export async function scriptedObjects(
  context: CheckContext,
  scriptRoutes: readonly RouteTemplate[],
  one: Identity,
  other: Identity,
): Promise<ScriptedObject[]> {
  const routes = atMost(context, scriptRoutes, maxRoutes, 'routes in scripts');
  if (routes.length === 0) return [];
  const [ones, others] = await ownIdsOf(context, one, other);
  const { origin } = new URL(context.surface.url);
  const directions = [
    { owner: one.name, reader: other.name, ids: ones, readersIds: others },
    { owner: other.name, reader: one.name, ids: others, readersIds: ones },
  ];
  const objects = routes.flatMap((route) =>
    directions.flatMap(({ owner, reader, ids, readersIds }) =>
      idsAtMost(
        context,
        ids.filter((id) => isAbout(id, route)),
        maxIds,
      ).map((id): ScriptedObject => {
        const own = readersIds.find(({ kind }) => kind === id.kind);
        const readersOwn = own ? { readersOwn: objectOf(origin, route, own).url } : {};
        const { isPersonalKind } = id;
        return {
          object: objectOf(origin, route, id),
          owner,
          reader,
          isPersonalKind,
          isSharedKind: !isPersonalKind,
          ...readersOwn,
        };
      }),
    ),
  );
  return atMost(context, objects, maxObjects, 'objects of routes in scripts');
}

/** Routes with one place for an identifier, of which no page of the site was seen. @throws ProbeError */
export async function routesInScripts(context: CheckContext, users: readonly Identity[]): Promise<RouteTemplate[]> {
  const { http, surface, surfaces } = context;
  const { origin } = new URL(surface.url);
  const views = users.flatMap(({ name }) => surfaces[name] ?? []);
  const own = new Set(views.flatMap((view) => ownScripts(view)));
  const files = [...own].filter((url) => !isLibraryFile(url));
  const sources: string[] = [];
  for (const url of atMost(context, files, widened(context, maxScripts), 'script files'))
    sources.push((await http.get(url)).text);
  // The pages of all users have the same script.
  for (const { name, jar, headers } of users.slice(0, 1)) {
    const pages = surfaces[name] ? pagesWithScript(surfaces[name]) : [];
    for (const url of atMost(context, pages, widened(context, maxScripts), 'pages with script in them'))
      sources.push(inlineScript((await http.get(url, { jar, headers })).text));
  }
  const { routes, left } = routesInSources(sources, origin);
  const text = `${counted(left, 'route')} in scripts ${wasOrWere(left)} not looked at, about: the check takes up a bounded number of them`;
  if (left > 0) context.leave({ code: 'too_many', count: left, text });
  return unlinked(routes, [surface, ...views]).filter((route) => [...route.matchAll(/\{\w+\}/g)].length === 1);
}

export function objectOf(origin: string, template: RouteTemplate, { value }: Pick<OwnId, 'value'>): ObjectAddress {
  const [path = '', query] = template.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  const place = segments.findIndex((segment) => segment.includes('{'));
  const route = path.replace(/\{\w+\}/, '{id}');
  const url = origin + filled(template, () => value);
  const queried = isGraphQlAddress(url) ? queriedObject(url) : undefined;
  if (queried) return queried;
  return {
    url,
    route,
    kind: route,
    identifier: value,
    parameter: place === -1 ? (/(?:^|&)([^=&]+)=\{/.exec(query ?? '')?.[1] ?? 'id') : String(place + 1),
    in: place === -1 ? 'query' : 'path',
  };
}
