import { normaliseRoute } from '../../probe/routes.ts';

/**
 * Names of paths below which a site has so many of the same programs are things of one kind, as projects or repositories. Kinds of
 * things share fewer: what lists, shows, adds, changes and deletes.
 */
const minShared = 7;

/**
 * Leaves names open that stand for things of one kind: "/projects/{name}/issues" for "/projects/garden/issues" and
 * "/projects/kitchen/issues", where both have many programs more in common.
 * @param urls that the site was seen to have
 */
export function namedBranches(urls: Iterable<string>): (route: string) => string {
  const branches = new Map<string, Map<string, Set<string>>>();
  for (const route of new Set([...urls].map(normaliseRoute))) {
    const names = route.split('/').slice(1);
    for (let at = 0; at < names.length - 1; at += 1) {
      const before = names.slice(0, at).join('/');
      const below = branches.get(before) ?? new Map<string, Set<string>>();
      branches.set(before, below);
      const name = names[at] ?? '';
      below.set(name, (below.get(name) ?? new Set()).add(names.slice(at + 1).join('/')));
    }
  }
  const open = new Map<string, Set<string>>();
  for (const [before, below] of branches) {
    const many = [...below].filter(([, programs]) => programs.size >= minShared);
    const alike = many.filter(([name, programs]) =>
      many.some(([other, others]) => other !== name && shared(programs, others) >= minShared),
    );
    if (alike.length > 0) open.set(before, new Set(alike.map(([name]) => name)));
  }
  return (route) => {
    const [path = '', ...rest] = route.split(/(?=[?#])/);
    const names = path.split('/').slice(1);
    const at = names.findIndex((name, place) => open.get(names.slice(0, place).join('/'))?.has(name));
    return at === -1 ? route : [`/${names.with(at, '{name}').join('/')}`, ...rest].join('');
  };
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((program) => other.has(program)).length;
