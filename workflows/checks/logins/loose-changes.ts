import type { LoginChange } from './entrance.ts';
import { type Credential, type Login, loginAction, nobody } from './login.ts';

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

/** Passwords of another type than text, or whose digest is one, for a name that most sites have. */
export function looseChanges(login: Login): LoginChange[] {
  const base = nobody(login);
  const names =
    login.nameField === undefined || (login.isMail && !login.likelyName.includes('@'))
      ? [base.name]
      : [login.likelyName, base.name];
  const change = (what: string, password: Credential, twin: Credential = base.password): LoginChange[] =>
    names.flatMap((name, index) => {
      // Of the known name the likeliest only: it may be locked after some tries.
      const isRare = typeof password === 'string' && password !== '' && !ofKnownNames.includes(password);
      if (index === 0 && names.length > 1 && isRare) return [];
      const [changed, other] = [loginAction(login, name, password), loginAction(login, name, twin)];
      // What looks like the same text and opens nothing shows that it was compared.
      const isList = login.nameField === undefined && typeof password === 'object' && 'list' in password;
      const isEvaluated = isList ? 'unless-complaint' : twin !== base.password;
      return changed && other ? [{ what, changed, twin: other, isEvaluated, isOfPassword: true }] : [];
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
