import type { CheckContext } from '../contract.ts';
import { fingerprintSite, type Stack } from '../pages/fingerprint-host.ts';
import { once } from './asked-once.ts';
import { breakingSigns } from './breaking-signs.ts';
import { type Evaluating, evaluating } from './code-payloads.ts';
import { computedBy } from './computed-result.ts';
import { isInterpreted } from './data-only.ts';
import { failsToParse } from './unparsable.ts';

const languages = { php: 'PHP', python: 'Python', ruby: 'Ruby', node: 'JavaScript', java: 'Java' } as const;

/** The language that the site shows to be written in, where it shows one alone. @throws ProbeError */
export async function languageOf(context: CheckContext): Promise<string | undefined> {
  const stacks = await fingerprintSite(context);
  const shown = Object.entries(languages).flatMap(([stack, name]) => (stacks.has(stack as Stack) ? [name] : []));
  return shown.length === 1 && !stacks.has('dotnet') && !stacks.has('go') ? shown[0] : undefined;
}

/** Whether code of that language is sent; that of all where it is not known. */
export const isCodeOf =
  (language: string | undefined) =>
  ({ where }: { where: string }): boolean =>
    language === undefined || new RegExp(`\\b${language}\\b`).test(where);

/** Whether the page shows that code which cannot be parsed is none. @throws ProbeError */
export const mayBeCode = once('may be code', async (context, input) => {
  if (!(await isInterpreted(context, input)) && !(await failsToParse(context, input))) return undefined;
  const signs = await breakingSigns(context, input, ["'", '"', '$(']);
  return signs.size === 0 ? undefined : signs;
});

/** Code whose result the page shows; looked for once for an input. @throws ProbeError */
export const codeAt = once('evaluates code', async (context, input): Promise<Evaluating | undefined> => {
  const signs = await mayBeCode(context, input);
  if (signs === undefined) return undefined;
  const isSent = isCodeOf(await languageOf(context));
  const fits = (each: Evaluating): boolean => each.brokenBy === undefined || signs.has(each.brokenBy);
  return computedBy(
    context,
    input,
    evaluating().filter((each) => isSent(each) && fits(each)),
  );
});
