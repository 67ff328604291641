import type { Fact } from '../../model/fact.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { type LeakedPlace, leakedTexts } from '../files/leaked-texts.ts';
import { likeliest } from '../inputs/at-most.ts';
import { accountChange } from './default-accounts.ts';
import type { LoginChange } from './entrance.ts';
import type { Login } from './login.ts';
import { accountsInSource, type SourceAccount } from './source-accounts.ts';

/** An account in a file that the site gives away, and where its password stands there. */
export type LeakedAccount = SourceAccount &
  LeakedPlace & {
    /** Its first group is the password. */
    pattern: string;
  };

/**
 * Kinds of facts whose subject is a file that everybody can read, or the base of a repository where its attributes say so; and that of
 * a way to read files.
 */
export const leakingKinds: readonly string[] = ['exposed-text', 'file-reading'];

/** Of all files, for each login. */
const maxAccounts = 8;

/** Accounts in what checks have shown to be given away: each name once, those of one file first that has them. */
export async function leakedAccounts(
  context: Pick<CheckContext, 'http' | 'leave'>,
  facts: readonly Pick<Fact, 'subject' | 'attributes'>[],
): Promise<LeakedAccount[]> {
  const found: LeakedAccount[] = [];
  for await (const { text, place } of leakedTexts(context, facts)) found.push(...accountsIn(text, place));
  const once = [...new Map(found.toReversed().map((each) => [each.pair[0], each])).values()].toReversed();
  return likeliest(context, once, maxAccounts, 'accounts in files');
}

/** The accounts of one file, with the places of their passwords. */
export function accountsIn(text: string, place: LeakedPlace): LeakedAccount[] {
  return accountsInSource(text).flatMap((account) => {
    const pattern = patternFor(text, account.digest ?? account.pair[1]);
    return pattern === undefined ? [] : [{ ...place, ...account, pattern }];
  });
}

/** The password, or its digest, is what follows the text before it on its line; nothing of it is in the pattern. */
function patternFor(text: string, password: string): string | undefined {
  for (let at = text.indexOf(password); at !== -1; at = text.indexOf(password, at + 1)) {
    const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 60), at);
    const end = /["'`]$/.exec(before)?.[0];
    const rest = end === undefined ? '[^\\s"\'`@,;]+' : `[^${end}\\n]+`;
    const pattern = `${escapePattern(before)}(${rest})`;
    if (before.trim() !== '' && !before.includes(password) && firstMatch(pattern, text)?.groups[0] === password)
      return pattern;
  }
  return undefined;
}

/** Those that a login can take, as changes of it. */
export function leakedChanges(
  login: Login,
  accounts: readonly LeakedAccount[],
): (LoginChange & { from: LeakedAccount })[] {
  if (login.nameField === undefined) return [];
  return accounts.flatMap((from) => {
    const change = accountChange(login, from.pair);
    return change
      ? [
          {
            ...change,
            what: `the name "${from.pair[0]}" and the password ${from.digest ? 'of the digest ' : ''}in "${from.file}"`,
            from,
          },
        ]
      : [];
  });
}
