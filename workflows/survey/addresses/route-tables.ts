/** Routes in the code of an application, token by token: "/orders/:id" of `{path: 'orders', children: [{path: ':id'}]}`. */
export type RouteTableReader = {
  read(label: string, value: unknown): void;
  /** From the root on, each once. */
  routes(): string[];
};

const maxRoutes = 500;
const maxDepth = 100;
/** A path of a route, relative to that around it. */
const segments = /^(?:[\w~:.-]+\??)(?:\/[\w~:.-]+\??)*\/?$/;
/** What a value has to look like, behind its name; one that takes anything stands for pages that do not exist. */
const valuePattern = /(:\w{1,50})\((?!\.\*)[^()]{1,100}\)/g;
/** What routes have besides their path. Source: routing of React Router, Vue Router and Angular. */
const ofRoutes =
  /^(?:element|component|Component|components|children|lazy|loader|loadComponent|loadChildren|redirect|redirectTo|index|meta|handle|pathMatch|canActivate|ErrorBoundary|errorElement)$/;

type OpenObject = { isObject: boolean; path?: string; isRoute: boolean; under: string[] };

/** Reads tokens and no tree, as addresses in code are read: code that is cut is read as far as it goes. */
export function routeTableReader(): RouteTableReader {
  const found = new Set<string>();
  const open: OpenObject[] = [];
  /** Brackets that are open beyond the bound. */
  let deeper = 0;
  let [before, key]: [string, string | undefined] = ['', undefined];
  let last = '';

  const close = () => {
    const { path, isRoute, under } = open.pop() ?? { isRoute: false, under: [] };
    const around = open.findLast(({ isObject }) => isObject);
    // What stands below a route that has no path of its own stands below that around it.
    const below = path === undefined ? under : under.map((each) => joined(path, each));
    if (path !== undefined && isRoute) below.push(path);
    if (around) around.under.push(...below.slice(0, Math.max(0, maxRoutes - around.under.length)));
    else for (const each of below) if (found.size < maxRoutes) found.add(`/${each.replace(/^\/+|\/+$/g, '')}`);
  };

  return {
    read(label, value) {
      const name = label === 'name' || label === 'string' ? String(value) : '';
      if (/^(?:\{|\$\{|\[)$/.test(label)) {
        if (open.length >= maxDepth) deeper += 1;
        else open.push({ isObject: label === '{', isRoute: false, under: [] });
      } else if (label === '}' || label === ']') {
        if (deeper > 0) deeper -= 1;
        else if (open.length > 0) close();
      } else if (label === ':' && /^(?:name|string)$/.test(before)) {
        key = last;
        const around = open.at(-1);
        if (around?.isObject && ofRoutes.test(key)) around.isRoute = true;
      } else if (label === '(' && /^(?:name|string)$/.test(before)) {
        const around = open.at(-1);
        if (around?.isObject && ofRoutes.test(last)) around.isRoute = true;
      } else if (label === 'string' && before === ':' && key === 'path') {
        const around = open.at(-1);
        const path = name.replace(valuePattern, '$1');
        if (around?.isObject && (segments.test(path.replace(/^\//, '')) || path === '/' || path === ''))
          around.path = path;
      }
      before = label;
      if (name !== '') last = name;
    },
    routes() {
      while (open.length > 0) close();
      return [...found].filter((route) => route !== '/' && !route.includes('*'));
    },
  };
}

/** A path that begins with "/" stands for itself. */
const joined = (around: string, path: string): string =>
  path.startsWith('/') ? path : `${around.replace(/\/+$/, '')}/${path}`;
