import type { CaptureRule } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { LoginRecipe, LoginStep } from '../../model/login-recipe.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { cookieName } from '../../proof/subjects/readers.ts';
import type { CheckContext } from '../contract.ts';
import { capturedFrom, cookiesOf } from '../inputs/open-input.ts';

/** How accounts log in, with what is seen of the login's page where the recipe alone does not say enough. */
export type AccountLogin = LoginRecipe & {
  page?: LoginPage;
  /** Accounts are called by their mail addresses, whatever the field is called. */
  isByMail?: boolean;
};

type LoginPage = {
  url: string;
  /** Cookies that it gives whoever has none. */
  cookies: string[];
  /** Cookies that the answer to the credentials sets: frameworks give another session then, or keep the one of the page. */
  answerCookies: string[];
};

/** What a hidden field of the login's form has on its page. */
export const tokenRule = (action: string, field: string, name: string): CaptureRule => ({
  name,
  subject: `body:form:${pathOf(action)} ${field}`,
  pattern: '(?m)^(.+)$',
  secret: true,
});

/**
 * Looks at the page of a login whose form has hidden fields, or that gives more cookies than one, and logs in once more to see which
 * cookies that sets.
 * @throws ProbeError, LoginError
 */
export async function accountLogin(
  context: CheckContext,
  { name, userName }: Identity,
  recipe: LoginRecipe,
): Promise<AccountLogin> {
  const isByMail = userName?.includes('@') ?? false;
  const [step, ...others] = recipe.steps;
  const isPlain = recipe.sends.cookies.length < 2 && !step?.fields.some(({ holds }) => holds === 'hidden');
  if (isPlain || step?.pageUrl === undefined || others.length > 0) return { ...recipe, isByMail };
  const page = await context.http.get(step.pageUrl, { jar: context.http.newJar(), fresh: true });
  const { answer } = await context.logIn(name);
  const isEmpty = (field: string): boolean => capturedFrom(page, tokenRule(step.url, field, 'token')) === undefined;
  const fields = step.fields.map((field): LoginStep['fields'][number] =>
    field.holds === 'hidden' && isEmpty(field.name) ? { name: field.name, holds: 'fixed', value: '' } : field,
  );
  return {
    ...recipe,
    isByMail,
    steps: [{ ...step, fields }],
    page: {
      url: page.request.url,
      cookies: cookiesOf(page).map(({ pair }) => pair.replace(/=.*$/s, '')),
      answerCookies: [...new Set(answer.headerValues('set-cookie').map(cookieName))],
    },
  };
}
