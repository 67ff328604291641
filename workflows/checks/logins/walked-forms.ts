import type { CaptureRule, HttpAction } from '../../model/experiment.ts';
import { claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface } from '../../model/surface.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { isPageToken } from '../../survey/form-inputs.ts';
import { parsePage } from '../../survey/page.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import type { Visit } from '../sessions/visits.ts';

type FormField = FormSurface['fields'][number];

/**
 * Somebody without a session opens a page of the way.
 * @param lasting of a page to which a form about the audit's own account led, whatever words are in its address
 */
export async function openPage(
  visit: Visit,
  url: string,
  lasting?: HttpAction['lasting'],
): Promise<Exchange | undefined> {
  return visit.send({
    http: { url, ...(lasting && { lasting }) },
    note: 'Somebody who has no session opens the page.',
    expect: [claim('status', 'equals', '200')],
  });
}

/** The forms of a page that send something to its own site. */
export const formsOf = (answer: Exchange): FormSurface[] =>
  isHtml(answer) && answer.status === 200
    ? parsePage(answer.text, answer.request.url).forms.filter(
        ({ method, action }) => method === 'POST' && new URL(action).origin === new URL(answer.request.url).origin,
      )
    : [];

/** What a form's token is, which its page gives anew. */
export const captureOf = ({ action }: FormSurface, { name }: FormField, index: number): CaptureRule => ({
  ...{
    name: `walked${index + 1}`,
    subject: `body:form:${pathOf(action)} ${name}`,
    pattern: '(?m)^(.+)$',
    secret: true,
  },
});

/** A form with these values; its tokens are those that its page has given. */
export function submitting(
  form: FormSurface,
  tokens: readonly CaptureRule[],
  values: ReadonlyMap<string, string>,
): HttpAction {
  const { action, fields } = form;
  const given = new Map(fields.filter(isPageToken).map(({ name }, index) => [name, `‹${tokens[index]?.name}›`]));
  const pairs = [...values].map(([name, value]) => [name, given.get(name) ?? value] as const);
  return {
    method: 'POST',
    url: action,
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeTemplate(value)}`).join('&'),
  };
}
