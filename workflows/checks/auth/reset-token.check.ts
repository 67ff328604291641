import type { CaptureRule, Experiment, Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import type { AnswerKinds } from '../decisions/answer-kinds.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputSteps, requestOfInput } from '../inputs/open-input.ts';
import { isLocked } from '../logins/entrance.ts';
import { nobodyLike } from '../logins/known-names.ts';
import { resetOf } from '../logins/reset-forms.ts';
import { type AskedReset, lookAtResets, type StoreOf } from './asked-resets.ts';
import { bareTokensIn, likelyPages, madeTokens, resetLinksIn, tokenName } from './reset-links.ts';
import { isThere, opens, pageWith, type ResetPage } from './reset-pages.ts';

type AcceptedToken = AskedReset & { page: ResetPage; kinds: AnswerKinds; how: string } & (
    | { capture: CaptureRule }
    | { made: string }
  );

const maxLinks = 4;

/** Who asks for a new password of somebody else comes to the page that sets it. Source: CWE-640, WSTG-ATHN-09. */
export const resetToken = defineCheck<AcceptedToken>({
  id: 'auth.reset-token',
  title: 'Account takeover: password reset token disclosed or predictable',
  cwe: 640,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  detect: (context) =>
    lookAtResets(
      context,
      (store, reset) => acceptedToken(context, store, reset),
      (found) =>
        `The page for a new password of "${found.name}" was opened by ${'made' in found ? `a token that is ${found.how}` : found.how}.`,
    ),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Whoever asks for a new password of an account comes to the page that sets it without reading the mail of its owner: the answer to the request has the link, or its token is made of the name alone.',
    impact: 'An attacker asks for a new password of any account whose name they know, sets it, and is its owner.',
    sends:
      'Only with `writes: "create"`: asks up to 2 forms for a new password of a test identity, four times, and of a name that nobody has; opens the page that the answer links to, or up to 13 usual ones with 5 digests of the name. No password is set.',
    proves:
      'Nobody in particular asks for a new password of a test identity, and the link or token in the answer, or one made of the name, opens the page for a new password, twice; one with another token does not. An attacker sets it.',
    remedy:
      'Make the token of at least 128 random bits (`secrets.token_urlsafe(32)`, `crypto.randomBytes(32)`), keep only its digest, with an end within an hour, and let it out by mail alone: not in the answer, not in a redirect, not in a comment for tests.',
    references: [
      'CWE-640: https://cwe.mitre.org/data/definitions/640.html',
      'OWASP Forgot Password Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
      'WSTG-ATHN-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/09-Testing_for_Weak_Password_Change_or_Reset_Functionalities',
    ],
  },
});

async function acceptedToken(
  context: CheckContext,
  store: StoreOf,
  reset: AskedReset,
): Promise<AcceptedToken | undefined> {
  const { input, name } = reset;
  const ask = async (who: string) => {
    const request = await requestOfInput(context, input, resetOf(input, who), newTrialValues(context.nonce));
    return store('', request, async (answer): Promise<Exchange> => answer);
  };
  const unknown = await ask(nobodyLike(name, context.nonce()));
  const known = await ask(name);
  if (isLocked(unknown) || isLocked(known)) return undefined;
  const usual = new Set(resetLinksIn(unknown).map(({ before, token }) => before + token));
  const own = resetLinksIn(known).filter(
    ({ before, token }) => !usual.has(before + token) && !before.startsWith(`${input.url}/`),
  );
  for (const { before, token, after, capture } of atMost(context, own, maxLinks, 'links in the answer to a reset')) {
    const page = { before, after };
    const kinds = await opens(context, store, page, token);
    if (kinds) return { input, name, page, kinds, capture, how: 'the link in the answer' };
  }
  const members = new Set(bareTokensIn(unknown).map(({ member }) => member));
  const bare = bareTokensIn(known).filter(({ member }) => !members.has(member));
  for (const { token, capture } of atMost(context, bare, maxLinks, 'tokens in the answer to a reset')) {
    const opened = await openedByAny(context, store, reset, [token]);
    if (opened) return { input, name, page: opened.page, kinds: opened.kinds, capture, how: 'the token in the answer' };
  }
  return madeToken(context, store, reset);
}

async function madeToken(context: CheckContext, store: StoreOf, reset: AskedReset): Promise<AcceptedToken | undefined> {
  const { input, name } = reset;
  const tokens = madeTokens.map(({ make }) => encodeURIComponent(make(name)));
  const opened = await openedByAny(context, store, reset, tokens);
  const how = opened && madeTokens[tokens.indexOf(opened.token)]?.how;
  return opened && how ? { input, name, page: opened.page, kinds: opened.kinds, made: opened.token, how } : undefined;
}

/** Tries tokens at the first likely page for a new password that the site has. */
async function openedByAny(
  context: CheckContext,
  store: StoreOf,
  { input, name }: AskedReset,
  tokens: readonly string[],
) {
  for (const before of likelyPages(input, name)) {
    const page = { before, after: '' };
    if (!(await isThere(context, store, page))) continue;
    for (const token of tokens) {
      const kinds = await opens(context, store, page, token);
      if (kinds) return { page, token, kinds };
    }
    return undefined;
  }
  return undefined;
}

function experimentFor(data: AcceptedToken): Experiment {
  const { input, name, page, kinds } = data;
  const open = (token: string, note: string): Step => ({ http: pageWith(page, token), note, expect: kinds.other });
  return {
    steps: [
      ...inputSteps(input, resetOf(input, name), {
        note: `A new password is asked for "${name}" by somebody who has no session.`,
        expect: [],
        hasEffect: true,
        ...('capture' in data ? { capture: [data.capture] } : {}),
      }),
      'made' in data
        ? open(data.made, `With ${data.how} as its token, the page for a new password is shown.`)
        : open(`‹${tokenName}›`, 'The link in the answer opens the page for a new password.'),
    ],
    control: [open('‹nonce›', 'With another token the page is not shown.')],
  };
}
