import type { Assertion, CaptureRule, HttpAction, Step } from '../../model/experiment.ts';
import { isRegistered, isShown } from '../../model/gained-name.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { ProofError } from '../../proof/proof-error.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { accountsShownBy } from '../logins/accounts-shown.ts';
import { asksForCode } from '../logins/code-page.ts';
import { isLocked } from '../logins/entrance.ts';
import { loginsOf } from '../logins/login.ts';
import { goOn, pageAfterwards, targetOf, type WalkingAccount } from '../logins/login-walk.ts';
import { namesShown } from '../logins/names-shown.ts';
import { resetsIn } from '../logins/reset-forms.ts';
import { lasting, walkReset } from '../logins/reset-walk.ts';
import { captureOf, formsOf, openPage, submitting } from '../logins/walked-forms.ts';
import { byRole } from '../sessions/roles.ts';
import { createVisit, type Visit } from '../sessions/visits.ts';
import { guesses, refusalOf, saysMore } from './code-refusals.ts';
import { letsWait } from './pace.ts';

/** A form that takes the code which an account was given, behind the pages that lead to it. */
type CodePage = {
  visit: Visit;
  page: Exchange;
  form: FormSurface;
  tokens: CaptureRule[];
  field: string;
  /** What makes the gate let it pass: it goes on in a login, or sets a password of the audit's own account. */
  purpose: { ofLogin: true } | { lasting: ReturnType<typeof lasting> };
};

/** Wrong codes that were refused one after the other, as an experiment. */
export type SteppedCode = { url: string; begin: HttpAction; parameter: string; steps: Step[]; refused: Assertion[] };

const maxPages = 2;
const typed = /^(?:text|email|tel|number|password|)$/;
const codeField = /code|otp|pin|mfa|2fa|factor|token|digit/i;
const newPassword = 'Cc3-‹nonce9›';

/** Looks at the second factor of logins, and at codes for a new password. @throws ProbeError */
export async function steppedCodes(context: CheckContext): Promise<SteppedCode[]> {
  const found: SteppedCode[] = [];
  for (const open of [...(await secondFactors(context)), ...(await resetCodes(context))]) {
    try {
      const page = await open();
      const data = page && (await withoutLimit(page));
      if (data) found.push(data);
    } catch (error) {
      if (!(error instanceof ProofError) && !isLeftOut(error)) throw error;
    }
  }
  return found;
}

type CodeOpening = () => Promise<CodePage | undefined>;

/** The page after the password of an account that pages show, or of a test identity. */
async function secondFactors(context: CheckContext): Promise<CodeOpening[]> {
  const logins = loginsOf(context.surface).filter(({ nameField, input }) => nameField !== undefined && input.page);
  const openings: CodeOpening[] = [];
  for (const login of atMost(context, logins, maxPages, 'logins that may ask for a code')) {
    const shown = await accountsShownBy(context, login);
    const accounts = shown.map(({ pair: [name, password] }) => ({ name, password, isSecret: false }));
    for (const account of likeliest(context, accounts, 1, 'accounts that pages show'))
      openings.push(() => codePageAfter(context, login.input.page?.url ?? login.input.url, account));
  }
  return openings;
}

async function codePageAfter(
  context: CheckContext,
  pageUrl: string,
  account: WalkingAccount,
): Promise<CodePage | undefined> {
  const visit = createVisit(context);
  const first = await openPage(visit, pageUrl);
  const login = first && formsOf(first).find(({ fields }) => fields.some(({ type }) => type === 'password'));
  if (!login) return undefined;
  const tokens = tokensOf(login);
  if (!visit.take(tokens)) return undefined;
  const answer = await goOn(visit, { form: login, tokens }, account);
  const page = answer && (await pageAfterwards(visit, answer));
  if (!page || !asksForCode(page)) return undefined;
  const form = formsOf(page).find(({ fields }) => fields.filter(({ type }) => typed.test(type)).length === 1);
  const field = form?.fields.find(({ type }) => typed.test(type))?.name;
  if (!form || !field) return undefined;
  const own = tokensOf(form);
  return visit.take(own) ? { visit, page, form, tokens: own, field, purpose: { ofLogin: true } } : undefined;
}

/**
 * The page that takes the code for a new password: of an account that the audit has opened, or that a page gives everybody, else of
 * somebody whom a page names.
 */
async function resetCodes(context: CheckContext): Promise<CodeOpening[]> {
  const { users } = byRole(context);
  const named = (isOf: (name: string) => boolean) => users.find(({ name, userName }) => isOf(name) && userName);
  const own = (named(isRegistered) ?? named(isShown))?.userName;
  const { inputs, heldInputs = [] } = context.surface;
  const resets = atMost(context, resetsIn([...inputs, ...heldInputs]), maxPages, 'forms for a new password');
  const openings: CodeOpening[] = [];
  for (const reset of resets) {
    const shown = own ?? (await namesShown(context, { isMail: /mail/i.test(reset.parameter) })).at(0);
    if (own !== undefined) openings.push(() => codePageOfOwn(context, reset, own));
    else if (shown !== undefined) openings.push(() => codePageOfReset(context, reset, shown, askedForOther));
  }
  return openings;
}

async function codePageOfOwn(context: CheckContext, reset: InputSurface, name: string): Promise<CodePage | undefined> {
  const walk = await walkReset(context, reset, { name, known: new Map<string, string>() });
  if (!walk) return codePageOfReset(context, reset, name, lasting);
  const { visit, page, form, tokens } = walk;
  const field = form.fields.find(({ type, ...each }) => type !== 'password' && takesCode(each));
  return field && { visit, page, form, tokens, field: field.name, purpose: { lasting: lasting(form.pageUrl) } };
}

const askedForOther = (place: string): ReturnType<typeof lasting> => ({
  ...lasting(place),
  description: 'A code for a new password was asked for, for somebody whom the site names.',
});

const takesCode = ({ name, value }: { name: string; value: string }): boolean => value === '' && codeField.test(name);

/** The page for the code alone, before that for the password. */
async function codePageOfReset(
  context: CheckContext,
  reset: InputSurface,
  userName: string,
  recorded: typeof lasting,
): Promise<CodePage | undefined> {
  const visit = createVisit(context);
  const begin = reset.page?.url ?? reset.url;
  const first = await openPage(visit, begin, recorded(begin));
  const asking = first && formsOf(first).find(({ fields }) => fields.some(({ name }) => name === reset.parameter));
  const tokens = asking ? tokensOf(asking) : [];
  if (!asking || !visit.take(tokens)) return undefined;
  const purpose = { lasting: recorded(asking.pageUrl) };
  const values = sentFields(asking.fields).map(({ name, value }): [string, string] => [
    name,
    name === reset.parameter ? userName : value,
  ]);
  const sent = await visit.send({
    http: { ...submitting(asking, tokens, new Map(values)), ...purpose },
    note: 'A new password is asked for.',
    expect: [],
    hasEffect: true,
  });
  const target = sent && targetOf(sent);
  const page = target === undefined ? sent : await openPage(visit, target, purpose.lasting);
  const form = page && formsOf(page).find(({ fields }) => fields.some(takesCode));
  const field = form?.fields.find(takesCode)?.name;
  if (!page || !form || field === undefined) return undefined;
  // The account is asked for once more.
  const fields = form.fields.map((each) =>
    each.name !== field && typed.test(each.type) && each.value === '' ? { ...each, value: userName } : each,
  );
  const own = tokensOf(form);
  return visit.take(own) ? { visit, page, form: { ...form, fields }, tokens: own, field, purpose } : undefined;
}

/** Codes of as many digits as the page says, none of them a usual one. */
function codeAt(place: number, { text }: Exchange): string {
  const [, said = ''] = /\b([4-8]|four|five|six|seven|eight)[- ]digit/i.exec(text) ?? [];
  const words = ['four', 'five', 'six', 'seven', 'eight'];
  const digits = Number(said) || words.indexOf(said.toLowerCase()) + 4;
  return String(26_031_974 + place * 317_061).slice(0, digits >= 4 ? digits : 6);
}

const tokensOf = (form: FormSurface): CaptureRule[] =>
  form.fields.filter(isPageToken).map((field, index) => captureOf(form, field, index));

async function withoutLimit({ visit, page, form, tokens, field, purpose }: CodePage): Promise<SteppedCode | undefined> {
  const answers: Exchange[] = [];
  let refused: Assertion[] | undefined;
  const before = visit.steps().length;
  for (let place = 0; place < guesses; place += 1) {
    const code = codeAt(place, page);
    const values = sentFields(form.fields).map(({ name, type, value }): [string, string] =>
      name === field ? [name, code] : [name, type === 'password' ? newPassword : value],
    );
    const answer = await visit.send({
      http: { ...submitting(form, tokens, new Map(values)), ...purpose, invented: [code] },
      note: `Wrong code ${place + 1} of ${guesses}.`,
      expect: [],
      hasEffect: true,
    });
    if (!answer || isLocked(answer) || targetOf(answer) !== undefined) return undefined;
    answers.push(answer);
    if (letsWait(answers, guesses)) return undefined;
    const [first, second] = answers;
    if (!first || !second) continue;
    refused ??= refusalOf([first, second], page);
    if (!refused || answer.status !== first.status || saysMore(answer, [first, second, page])) return undefined;
  }
  const all = visit.steps();
  const expect = refused;
  if (!expect) return undefined;
  const steps = all.map((step, index) => (index < before ? step : { ...step, expect }));
  const begin = all.flatMap((step) => ('http' in step ? step.http : [])).at(0) ?? { url: form.pageUrl };
  return { url: form.action, begin, parameter: field, steps, refused: expect };
}

/** The page on which all begins does not have these words. */
export const steppedControl = ({ begin, refused }: SteppedCode): Step[] => [
  { http: begin, note: 'The page on which all begins does not have these words.', expect: refused },
];
