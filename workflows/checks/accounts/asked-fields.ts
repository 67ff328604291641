import { parseJson } from '../../model/json.ts';
import type { AskedFields, FormSurface, InputSurface } from '../../model/surface.ts';
import { typedInto } from '../../model/typed-text.ts';

type TypedField = { name: string; type: string };

/** What a form asks for by the kinds of its fields: beside a password the first text is what the user is called by. */
export function askedBy(fields: readonly TypedField[]): AskedFields {
  const of = (kind: string) => fields.filter(({ name, type }) => type === kind && name !== '');
  const passwords = of('password').map(({ name }) => [lastPart(name), 'password'] as const);
  const mails = of('email').map(({ name }) => [lastPart(name), 'mail'] as const);
  const names = of('text')
    .slice(0, passwords.length === 0 ? 0 : 1)
    .map(({ name }) => [lastPart(name), 'name'] as const);
  return Object.fromEntries([...names, ...mails, ...passwords]);
}

/** The same of what a page posts: as its form says, or as what was typed in where script sends it. */
export function askedOf({ method, url, json, page }: InputSurface, forms: readonly FormSurface[]): AskedFields {
  if (json) {
    const root = parseJson(json.body);
    const members = typeof root === 'object' && root !== null ? Object.entries(root) : [];
    return askedBy(members.map(([name, value]) => ({ name, type: typedInto(value) })));
  }
  const form = forms.find(
    (each) => each.method === method && each.action === url && (!page || each.pageUrl === page.url),
  );
  return askedBy(form?.fields ?? []);
}

/** "account[name]" and "user.name" are called by their last part. */
export const lastPart = (name: string): string => name.replace(/^.*[.[]/, '').replace(/\]$/, '');

/** What a field is called beside one that is a part of something: "account[role]" beside "account[name]", "user.role" beside "user.name". */
export function calledBeside(name: string, field: string): string {
  const [, part, open, close = ''] = /^(.*)([.[])[^.[\]]+(\])?$/.exec(name) ?? [];
  return part && open ? part + open + field + close : field;
}
