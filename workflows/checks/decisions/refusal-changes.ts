import type { PageChange } from './opened-page.ts';

/** Other spellings of an address, which guards compare as text and servers take for the same. */
export function spelledChanges(url: string): PageChange[] {
  const { origin, pathname, search } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  if (last === undefined) return [];
  const path = `/${segments.join('/')}`;
  const write = (what: string, spell: (path: string, last: string) => string): PageChange => {
    const other = `${path.slice(0, path.length - last.length)}‹nonce›`;
    return {
      what,
      refused: { url },
      changed: { url: origin + spell(path, last) + search },
      twin: { url: origin + spell(other, '‹nonce›') + search },
    };
  };
  const before = (path: string, last: string, put: string) => path.slice(0, path.length - last.length) + put;
  const encoded = (text: string): string =>
    text.replace(/^[a-z0-9]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    ...(pathname.endsWith('/') ? [] : [write('a slash at the end of its path', (path) => `${path}/`)]),
    write('its path in upper case', (path, last) => before(path, last, last.toUpperCase())),
    write('a dot as a segment of its path', (path, last) => before(path, last, `./${last}`)),
    write('an encoded dot as a segment of its path', (path, last) => before(path, last, `%2e/${last}`)),
    write('two slashes in its path', (path, last) => before(path, last, `/${last}`)),
    write('an encoded letter in its path', (path, last) =>
      before(path, last, last.startsWith('‹') ? last : encoded(last)),
    ),
    write('a semicolon at the end of its path', (path) => `${path};`),
    write('a segment of its path that goes up and down', (path) => `${path}/..;/${last}`),
    write('a dot at the end of its path', (path) => `${path}/.`),
    write('an encoded space at the end of its path', (path) => `${path}%20`),
    ...branchChanges(url, segments),
  ];
}

/** A guard of a whole branch compares how a path begins. */
function branchChanges(url: string, [branch = '', ...rest]: readonly string[]): PageChange[] {
  if (rest.length === 0) return [];
  const { origin, search } = new URL(url);
  const behind = rest.slice(0, -1).map((segment) => `/${segment}`);
  const write = (what: string, begin: string): PageChange => ({
    what,
    refused: { url },
    changed: { url: `${origin}${begin}/${rest.join('/')}${search}` },
    twin: { url: `${origin}${begin}${behind.join('')}/‹nonce›${search}` },
  });
  const upper = branch.toUpperCase();
  const encoded = branch.replace(/^[a-z0-9]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    ...(upper === branch ? [] : [write('the first name of its path in upper case', `/${upper}`)]),
    write('two slashes at the start of its path', `//${branch}`),
    write('an encoded dot at the start of its path', `/%2e/${branch}`),
    ...(encoded === branch ? [] : [write('an encoded letter at the start of its path', `/${encoded}`)]),
  ];
}

const visitorHeaders = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'Client-IP',
  'True-Client-IP',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Custom-IP-Authorization',
] as const;
const loopback = '127.0.0.1';
/** Of nobody. Source: RFC 5737. */
const elsewhere = '203.0.113.9';

/** The headers by which proxies say where a request comes from, all at once; each by itself once they are seen to open something. */
export const addressChange = (
  url: string,
  names: readonly string[] = visitorHeaders,
  address = loopback,
): PageChange => ({
  what: `${address === loopback ? 'the address of the server itself' : `the address ${address}`} in ${names.length === 1 ? `the header ${names[0]}` : 'headers of proxies'}`,
  refused: { url },
  changed: { url, headers: names.map((name) => [name, address] as const) },
  twin: { url, headers: names.map((name) => [name, elsewhere] as const) },
});

export const addressChanges = (url: string, address = loopback): PageChange[] =>
  visitorHeaders.map((name) => addressChange(url, [name], address));

const roleHeaders = ['X-Role', 'X-User-Role', 'X-Roles', 'X-Admin', 'X-Is-Admin'] as const;
const userHeaders = ['X-User', 'X-Username', 'X-Forwarded-User', 'X-Remote-User', 'X-Authenticated-User'] as const;
const flagHeaders: readonly string[] = ['X-Admin', 'X-Is-Admin'];

/** The headers by which a gateway names a user and a role to the program behind it: any client can send them. */
export const rightsChange = (url: string, names: readonly string[] = [...roleHeaders, ...userHeaders]): PageChange => ({
  what: `the rights of an administrator in ${names.length === 1 ? `the header ${names[0]}` : 'headers of gateways'}`,
  refused: { url },
  changed: { url, headers: names.map((name) => [name, flagHeaders.includes(name) ? 'true' : 'admin'] as const) },
  twin: { url, headers: names.map((name) => [name, flagHeaders.includes(name) ? 'false' : '‹nonce›'] as const) },
});

export const rightsChanges = (url: string): PageChange[] =>
  [...roleHeaders, ...userHeaders].map((name) => rightsChange(url, [name]));

/** Parameters by which developers let themselves in. */
const flags: readonly string[] = [
  'debug',
  'admin',
  'test',
  'isAdmin',
  'is_admin',
  'internal',
  'auth',
  'authenticated',
  'loggedin',
  'logged_in',
];

/** The same with what a program may call those whom the page names: "staff", "isStaff", "is_staff". */
export const flagsFor = (roles: readonly string[]): readonly string[] => [
  ...flags,
  ...roles.flatMap((role) => [role, `is${role.charAt(0).toUpperCase()}${role.slice(1)}`, `is_${role}`]),
];

/** Parameters that say that the sender may see the page, all at once; each by itself once they are seen to open something. */
export const flagChange = (url: string, value: '1' | 'true', names: readonly string[]): PageChange => {
  const { origin, pathname, search } = new URL(url);
  const send = (own: string): { url: string } => {
    const pairs = names.map((name) => `${name}=${own}`).join('&');
    return { url: `${origin}${pathname}${search === '' ? '?' : `${search}&`}${pairs}` };
  };
  return {
    what: names.length === 1 ? `the parameter ${names[0]}=${value}` : 'parameters that say that its sender may see it',
    ...{ refused: { url }, changed: send(value), twin: send(value === '1' ? '0' : 'false') },
  };
};

export const flagChanges = (url: string, value: '1' | 'true', names: readonly string[]): PageChange[] =>
  names.map((name) => flagChange(url, value, [name]));

/** Rules of web servers and programs that name the methods they are for let all others pass. Of those, only what asks is sent (RFC 9110 §9.2.1). */
export function methodChanges(url: string): PageChange[] {
  const { origin, pathname, search } = new URL(url);
  const sibling = `${origin}${pathname.replace(/[^/]+\/?$/, '')}‹nonce›${search}`;
  return ['OPTIONS', 'PROPFIND'].map((method) => ({
    what: `the method ${method}`,
    refused: { url },
    changed: { method, url },
    twin: { method, url: sibling },
    mayDescribe: true,
  }));
}

/**
 * Programs that let a header name the method read it behind the guard, which saw another one. The method that is asked for in the end
 * only asks; where the header is not read, an empty form is sent, so on a test system alone.
 */
export function overridingChanges(url: string): PageChange[] {
  const { origin, pathname, search } = new URL(url);
  const sibling = `${origin}${pathname.replace(/[^/]+\/?$/, '')}‹nonce›${search}`;
  const headers = [
    ['X-HTTP-Method-Override', 'GET'],
    ['X-HTTP-Method', 'GET'],
    ['X-Method-Override', 'GET'],
  ] as const;
  return [
    {
      what: 'the method POST, and GET in headers that name another method',
      refused: { url },
      changed: { method: 'POST', url, headers, body: '' },
      twin: { method: 'POST', url: sibling, headers, body: '' },
    },
  ];
}

/** Headers that name the address that is asked for, or the page that led to it. */
export function namedChanges(url: string): PageChange[] {
  const { origin, pathname, search } = new URL(url);
  const rewritten = ['X-Original-URL', 'X-Rewrite-URL'].map(
    (name): PageChange => ({
      what: `its path in the header ${name} of a request for the first page`,
      refused: { url },
      changed: { url: `${origin}/`, headers: [[name, pathname + search]] },
      twin: { url: `${origin}/`, headers: [[name, `${pathname.replace(/[^/]+\/?$/, '')}‹nonce›`]] },
    }),
  );
  // Those who run a site come from there.
  const led = [`${origin}/`, url, `${origin}/admin`].map(
    (from): PageChange => ({
      what: 'a page of the site as its Referer',
      refused: { url },
      changed: { url, headers: [['Referer', from]] },
      twin: { url, headers: [['Referer', 'https://‹nonce›.example/']] },
    }),
  );
  return [...rewritten, ...led];
}
