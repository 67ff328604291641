import { type CaptureRule, claim, type Step } from '../../model/experiment.ts';
import type { FormSurface } from '../../model/surface.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { sentFields } from '../../survey/form-inputs.ts';

type OwnFormField = FormSurface['fields'][number];

/** How to send a form as the page that it is on would: what the page makes anew each time is captured from it first. */
type FormRequest = { captures: CaptureRule[]; body: string };

/**
 * @param html the page that the form was read from
 * @param values instead of the fields' own; may hold references to trial values
 */
export function formRequest(form: FormSurface, html: string, values: Record<string, string> = {}): FormRequest {
  const captures: CaptureRule[] = [];
  const pairs = sentFields(form.fields).map((field) => {
    const given = values[field.name];
    if (given !== undefined) return `${encodeURIComponent(field.name)}=${given}`;
    const pattern = field.type === 'hidden' ? hiddenPattern(field, html) : undefined;
    if (pattern === undefined) return `${encodeURIComponent(field.name)}=${encodeURIComponent(field.value)}`;
    const name = `field${captures.length + 1}`;
    captures.push({ name, subject: 'body', pattern, secret: true });
    return `${encodeURIComponent(field.name)}=‹encode:${name}›`;
  });
  return { captures, body: pairs.join('&') };
}

/** A pattern that reads the field's value from the page, when it finds this form's and not another one's. */
function hiddenPattern({ name, value }: OwnFormField, html: string): string | undefined {
  if (value === '') return undefined;
  const [named, valued] = [`\\bname=["']?${escapePattern(name)}["'\\s/>]`, `\\bvalue=["']?([^"'\\s>]+)`];
  const patterns = [`(?i)<input\\b[^>]*${named}[^>]*${valued}`, `(?i)<input\\b[^>]*${valued}[^>]*${named}`];
  return patterns.find((pattern) => firstMatch(pattern, html)?.groups[0] === value);
}

/** Loads the form's page and sends the form, both in the session that `attached` says. */
export function formSteps(
  form: FormSurface,
  { captures, body }: FormRequest,
  attached: Pick<Step, 'session' | 'identity'>,
  notes: { load: string; send: string },
): Step[] {
  return [
    {
      http: { url: form.pageUrl },
      ...attached,
      note: notes.load,
      expect: [claim('status', 'equals', '200')],
      ...(captures.length > 0 ? { capture: captures } : {}),
    },
    { http: formAction(form, body), ...attached, note: notes.send, expect: [claim('status', 'less-than', '400')] },
  ];
}

/** With the headers of a browser on the form's own page, which protection against forged requests looks at. */
function formAction({ action, method, pageUrl }: FormSurface, body: string) {
  const headers: [string, string][] = [
    ['Origin', new URL(pageUrl).origin],
    ['Referer', pageUrl],
  ];
  if (method === 'GET') return { url: `${action.replace(/[?#].*$/s, '')}?${body}`, headers };
  return {
    method,
    url: action,
    headers: [...headers, ['Content-Type', 'application/x-www-form-urlencoded'] as [string, string]],
    body,
  };
}
