import { resolved, UsageError } from './usage.ts';

/** A test identity, as `PUT /api/v1/domains/{domain}/logins/{name}` takes it. */
export type LocalLogin = { name: string; recipe: Record<string, unknown> & { role?: string } };

const fieldsOf = {
  form: ['url', 'username', 'password'],
  browser: ['url', 'username', 'password'],
  json: ['url', 'username', 'password', 'field', 'passwordField', 'body'],
  bearer: ['token'],
  basic: ['username', 'password'],
  cookie: ['value'],
  header: ['header', 'value'],
} as const;
const common = ['check', 'name', 'role', 'marker'];

/**
 * Reads "form url=/login username=alice password='a b' check=/me".
 * @throws UsageError that says what is missing, and never repeats a secret
 */
export function readLogin(text: string, base: URL): LocalLogin {
  const [kind = '', ...pairs] = wordsOf(text);
  if (!isKind(kind))
    throw new UsageError(`A login begins with ${Object.keys(fieldsOf).join(', ')}; not with "${kind.slice(0, 20)}".`);
  const given = new Map<string, string>();
  for (const pair of pairs) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined || ![...fieldsOf[kind], ...common].includes(name))
      throw new UsageError(
        `A ${kind} login takes ${[...fieldsOf[kind], ...common].map((each) => `${each}=…`).join(' ')}.`,
      );
    given.set(name, value);
  }
  const need = (name: string): string => {
    const value = given.get(name);
    if (!value) throw new UsageError(`The ${kind} login lacks ${name}=…`);
    return value;
  };
  const check = given.get('check');
  return {
    name: given.get('name') ?? '',
    recipe: {
      ...recipeOf(kind, { need, has: (name) => given.has(name) }, base),
      ...(check === undefined ? {} : { checkUrl: resolved(check, base) }),
      ...(given.has('role') ? { role: need('role') } : {}),
      ...(given.has('marker') ? { marker: need('marker') } : {}),
    },
  };
}

type GivenPairs = { need(name: string): string; has(name: string): boolean };

function recipeOf(kind: keyof typeof fieldsOf, { need, has }: GivenPairs, base: URL): Record<string, unknown> {
  if (kind === 'bearer') return { bearer: need('token') };
  if (kind === 'cookie') return { cookie: need('value') };
  if (kind === 'header') return { header: { name: need('header'), value: need('value') } };
  if (kind === 'basic') return { basic: { username: need('username'), password: need('password') } };
  const credentials = { url: resolved(need('url'), base), username: need('username'), password: need('password') };
  return {
    [kind]: {
      ...credentials,
      ...(has('field') && { usernameField: need('field') }),
      ...(has('passwordField') && { passwordField: need('passwordField') }),
      ...(has('body') && { body: need('body') }),
    },
  };
}

const isKind = (text: string): text is keyof typeof fieldsOf => Object.hasOwn(fieldsOf, text);

/** Words between spaces; quotes keep spaces together. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
