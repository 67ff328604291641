import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { LoginChange } from './entrance.ts';
import { type Credential, type Login, loginAction, nobody } from './login.ts';
import { namesShown } from './names-shown.ts';

/** Texts whose digests PHP takes for the number 0, with the digest. They are passwords of nobody. */
const magic = [
  ['240610708', 'MD5'],
  ['QNKCDZO', 'MD5'],
  ['aaroZmOk', 'SHA-1'],
  ['34250003024812', 'SHA-256'],
] as const;

/** Texts for the digests that programs without a library for passwords take most. */
const ofKnownNames: readonly string[] = [magic[0][0], magic[2][0]];

/** Another text of that form, whose digest is no number. */
const twinOf = (text: string): string =>
  /^\d+$/.test(text) ? text.replace(/^.{3}/, '618') : text.replace(/^.{2}/, 'WQ');

const maxShown = 2;

/**
 * Passwords of another type than text, or whose digest is one, for a name that most sites have, some that the site shows, and one that
 * nobody has.
 */
export async function looseChanges(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  login: Login,
): Promise<LoginChange[]> {
  const base = nobody(login);
  const names = [...(await likelyNames(context, login)), base.name];
  const change = (what: string, password: Credential, twin: Credential = base.password): LoginChange[] =>
    names.flatMap((name, index) => {
      // Of known names the likeliest only: they may be locked after some tries.
      const isRare = typeof password === 'string' && password !== '' && !ofKnownNames.includes(password);
      if (index < names.length - 1 && isRare) return [];
      const isTyped = typeof password === 'object';
      const isKnown = index < names.length - 1;
      // What opens for a name and for nobody's does not shows that the name was found, and its password compared.
      const isBeside = isTyped && isKnown;
      const wrong = isBeside ? loginAction(login, name, base.password) : undefined;
      const [changed, other] = [
        loginAction(login, name, password),
        isBeside ? loginAction(login, base.name, password) : loginAction(login, name, twin),
      ];
      // What looks like the same text and opens nothing shows that it was compared.
      const isList = login.nameField === undefined && isTyped && 'list' in password;
      const isEvaluated = isList || isBeside ? 'unless-complaint' : twin !== base.password;
      if (!changed || !other) return [];
      return [{ what, changed, twin: other, ...(wrong ? { wrong } : {}), isEvaluated, isOfPassword: true }];
    });
  const ofJson = [true, 0, null, [], {}] as const;
  return [
    ...change('a list as the password', { list: '‹nonce2›' }),
    ...(login.format === 'json'
      ? ofJson.flatMap((value) => change(`${JSON.stringify(value)} as the password`, { json: value }))
      : []),
    ...change('an empty password', ''),
    ...magic.flatMap(([text, digest]) =>
      change(`a password whose ${digest} digest looks like the number 0`, text, twinOf(text)),
    ),
  ];
}

async function likelyNames(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  { input, nameField, isMail, likelyName }: Login,
): Promise<string[]> {
  if (nameField === undefined) return [];
  const shown = await namesShown(context, { isMail, loginPage: input.page?.url });
  const tried = likeliest(context, shown, maxShown, 'names of users that the site shows');
  return [...new Set([...(isMail && !likelyName.includes('@') ? [] : [likelyName]), ...tried])];
}
