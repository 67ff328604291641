import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { plant, type Sends, unlessRefused } from './plant.ts';
import type { EvaluatedField } from './stored-expressions.ts';
import { read } from './stored-reads.ts';
import { mayTry } from './stored-values.ts';
import type { StoringForm } from './storing-form.ts';
import { asName, isMemberName, type TemplateForm } from './template-forms.ts';

const maxPages = 8;

/**
 * Fields whose own value names a member of something, as "user.name": it is looked up where the page is made, so that no page shows what
 * was stored. Behind the name the expression is ended, and another one follows.
 * @param expressionsFor what is tried for a field with this value
 * @throws ProbeError, ProofError
 */
export async function evaluatedMemberNames(
  context: CheckContext,
  forms: readonly StoringForm[],
  sends: Sends,
  expressionsFor = (sample: string): TemplateForm[] => (isMemberName(sample) ? asName(sample) : []),
): Promise<EvaluatedField[]> {
  const found: EvaluatedField[] = [];
  for (const form of forms)
    for (const { parameter, sample } of form.inputs)
      for (const expression of expressionsFor(sample)) {
        if (!mayTry(sends, form)) break;
        const evaluated = await storedAs(context, { form, sends }, parameter, expression);
        if (!evaluated) continue;
        found.push(evaluated);
        break;
      }
  return found;
}

async function storedAs(
  context: CheckContext,
  { form, sends }: { form: StoringForm; sends: Sends },
  parameter: string,
  expression: TemplateForm,
): Promise<EvaluatedField | undefined> {
  const values = newTrialValues(context.nonce);
  const result = fill(expression.result, values);
  let found: EvaluatedField | undefined;
  await unlessRefused(() =>
    plant(context, { form, sends }, new Map([[parameter, fill(expression.value, values)]]), async () => {
      for (const url of pagesOf(context, form)) {
        const page = await read(context, form.identity, url);
        if (page?.status !== 200 || !page.text.includes(result)) continue;
        found = { form, parameter, expression, sighting: { viewer: form.identity, url, reflections: [] } };
        return;
      }
    }),
  );
  return found;
}

function pagesOf(context: CheckContext, { identity }: StoringForm): string[] {
  const { pages } = context.surfaces[identity] ?? context.surface;
  const html = pages.filter(({ status, contentType }) => status === 200 && /html/.test(contentType));
  const urls = [...new Set(html.map(({ url }) => url.replace(/#.*$/s, '')))];
  return likeliest(context, urls, maxPages, 'pages that may look a stored name up');
}
