import type { ScoreCase, Variant } from '../../../case.ts';
import { bound } from '../../../sites/login-judges.ts';
import { type LoginSite, startLogin } from '../../../sites/login-sites.ts';

/** The source is the same; what was mended is the account. */
const caseOf = (
  name: string,
  note: string,
  [account, password]: [string, string],
  style: LoginSite['style'],
): ScoreCase => ({
  name,
  start: (variant: Variant) =>
    startLogin({
      note,
      ...(style && { style }),
      judge: (fields, request) =>
        variant === 'vulnerable' && fields.name === account && fields.password === password
          ? account
          : bound(fields, request),
    }),
});

export const cases: ScoreCase[] = [
  caseOf(
    'comment with an account for tests',
    '<!-- test account: mira / Tide-2207 -->',
    ['mira', 'Tide-2207'],
    'redirect',
  ),
  caseOf(
    'comment with a name and a password',
    '<!-- TODO remove. username: ops password: Quay!88 -->',
    ['ops', 'Quay!88'],
    'page',
  ),
  caseOf(
    'script with credentials for demonstrations',
    '<script>const demo = { username: "visitor7", password: "anchor-551" };</script>',
    ['visitor7', 'anchor-551'],
    'redirect',
  ),
];
