import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { KnownPassword } from '../model/identity.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import type { Run } from '../run/run.ts';
import { opened } from '../run/store.ts';
import type { ScriptedToken } from './scripted-tokens.ts';

/** Fetches how to log in. The secrets stay in the caller's memory. */
export const openLogin = (run: Run, name: string): Promise<Login> => opened.login(run, name);

/** Every secret of a login: masked wherever anything of the scan is stored. */
export function secretsOf({ kind, totp }: Login): string[] {
  return [...kindSecrets(kind), ...(totp ? [totp.secret, totp.secret.replace(/[\s-]/g, '')] : [])];
}

/** A secret as it may stand in addresses and bodies. */
export const spellingsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  new URLSearchParams([['', secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
];

/** A cookie that says less is a choice, of a language for instance: masking it would garble every text that has it. */
const minSecretLength = 8;

function kindSecrets(kind: Login['kind']): string[] {
  switch (kind.case) {
    case 'form':
    case 'browser':
    case 'json':
      return isTriedFirst(kind.value) ? [] : [kind.value.password];
    case 'basic':
      return isTriedFirst(kind.value) ? [] : [kind.value.password, basicCredentials(kind.value)];
    case 'header':
      return [kind.value.value];
    case 'bearer':
      return [kind.value];
    case 'cookie': {
      const secrets = cookiePairs(kind.value).flatMap(([, value]) => (value.length < minSecretLength ? [] : [value]));
      return secrets.length === 0 ? [] : [kind.value, ...secrets];
    }
    default:
      return [];
  }
}

/** What everybody tries first, and what stands on any page. */
const commonPassword =
  /^(?:admin(?:istrator)?|root|user|guest|test|demo|pass(?:word)?|secret|changeme|welcome|login|default|manager|\d{4,6})$/i;

/** Masking such a password would hide nothing, and garble every word and address that has it: "/admin". */
const isTriedFirst = ({ username, password }: { username: string; password: string }): boolean =>
  commonPassword.test(password) || password.toLowerCase() === username.toLowerCase();

/** A user name that works by what a statement makes of it: the password beside it decides nothing. */
const isCondition = /['"]/;

/** The same login with a secret that is wrong: the negative twin of a proof. */
export function withWrongSecret(login: Login, wrong: string): Login {
  const kind = withWrongName(login.kind, wrong);
  switch (kind.case) {
    case 'form':
    case 'browser':
      return { ...login, kind: { ...kind, value: { ...kind.value, password: wrong } } };
    case 'json':
      return { ...login, kind: { ...kind, value: { ...kind.value, password: wrong } } };
    case 'basic':
      return { ...login, kind: { ...kind, value: { ...kind.value, password: wrong } } };
    case 'header':
      return { ...login, kind: { ...kind, value: { ...kind.value, value: wrong } } };
    case 'bearer':
      return { ...login, kind: { ...kind, value: wrong } };
    case 'cookie': {
      const value = cookiePairs(kind.value).map(([name]) => `${name}=${wrong}`);
      return { ...login, kind: { ...kind, value: value.join('; ') } };
    }
    default:
      return login;
  }
}

function withWrongName(kind: Login['kind'], wrong: string): Login['kind'] {
  switch (kind.case) {
    case 'form':
    case 'browser':
      return isCondition.test(kind.value.username) ? { ...kind, value: { ...kind.value, username: wrong } } : kind;
    case 'json':
      return isCondition.test(kind.value.username) ? { ...kind, value: { ...kind.value, username: wrong } } : kind;
    default:
      return kind;
  }
}

/** The same login, typed into a browser; undefined for kinds that have nothing to type. */
export const byBrowser = (login: Login): Login | undefined =>
  login.kind.case === 'form' ? { ...login, kind: { case: 'browser', value: login.kind.value } } : undefined;

/** A login by JSON whose token goes into this header, where the settings do not say into which, and stands where they do not say otherwise. */
export function withTokenIn(login: Login, header: ScriptedToken | undefined): Login {
  const { kind } = login;
  if (kind.case !== 'json' || kind.value.tokenHeader !== '' || !header) return login;
  return {
    ...login,
    kind: {
      ...kind,
      value: {
        ...kind.value,
        tokenHeader: `${header.name}: ${header.prefix}{token}`,
        tokenPath: kind.value.tokenPath || (header.path ?? ''),
      },
    },
  };
}

/**
 * A login by JSON with the name of the user's member that has worked, where the settings do not say it: each other name that is tried
 * before it is a login that fails, and that a site may count.
 */
export function withNameIn(login: Login, { steps }: Pick<LoginRecipe, 'steps'>): Login {
  const { kind } = login;
  if (kind.case !== 'json' || kind.value.usernameField !== '') return login;
  const field = steps.flatMap(({ fields }) => fields).find(({ holds }) => holds === 'username');
  return field ? { ...login, kind: { ...kind, value: { ...kind.value, usernameField: field.name } } } : login;
}

/** The user name, of a login that has one. */
export const usernameOf = ({ kind }: Login): string | undefined =>
  kind.case === 'form' || kind.case === 'browser' || kind.case === 'json' || kind.case === 'basic'
    ? kind.value.username
    : undefined;

/** The password that is typed into a form or sent as JSON. */
export function passwordOf({ kind }: Login): KnownPassword | undefined {
  const isTyped = kind.case === 'form' || kind.case === 'browser' || kind.case === 'json';
  return isTyped ? { value: kind.value.password, isSecret: !isTriedFirst(kind.value) } : undefined;
}

/** What stands behind "Basic" in the header. Source: RFC 7617 §2. */
export const basicCredentials = ({ username, password }: { username: string; password: string }): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

/** Names and values of a Cookie header. */
export function cookiePairs(header: string): [name: string, value: string][] {
  return header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : [];
  });
}
