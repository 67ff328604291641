import type { Fact, FactInput } from '../../model/fact.ts';
import type { CheckContext } from '../contract.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { clicksOfRunning, type Running } from './stored-scripts.ts';
import type { StoringForm } from './storing-form.ts';
import { storingForms } from './storing-forms.ts';

const kind = 'stored-script';
export const needsStoredScript = { kind };
export const storedScriptKinds = [kind];

/** A form that stores script, and the page that runs it for its viewer ("" for everybody). */
export type StoredScript = {
  form: StoringForm;
  parameter: string;
  /** What is stored, with a slot for an expression. */
  template: string;
  clicks: string[];
  viewer: string;
  url: string;
};

const slot = '‹script›';
/** The nonce as a call writes it that takes any expression in its place. */
const word = '/‹nonce›/.source';

/** Only where the script can be another, and one page has it each time. */
export function storedScriptOf(form: StoringForm, parameter: string, running: Running): FactInput[] {
  const { payload, sighting } = running;
  const { viewer, url, entry, isOfSender } = sighting;
  if (entry || isOfSender || !mayBeAnother(payload)) return [];
  const { identity, pageUrl } = form;
  const template = payload.value.replace(word, slot);
  const clicks = clicksOfRunning(running).join('\n');
  const attributes = { identity, pageUrl, parameter, template, clicks, viewer, url };
  return [{ kind, subject: `${pageUrl} ${parameter}`, attributes }];
}

const mayBeAnother = ({ value, isLoaded }: Payload): boolean => !isLoaded && value.split(word).length === 2;

/** The form of a fact, as it is now. @throws ProbeError */
export async function storedScriptIn(context: CheckContext, fact: Fact | undefined): Promise<StoredScript | undefined> {
  const { identity, pageUrl, parameter, template = '', clicks = '', viewer = '', url = '' } = fact?.attributes ?? {};
  const forms = await storingForms(context);
  const form = forms.find(
    (each) =>
      each.identity === identity && each.pageUrl === pageUrl && each.inputs.some((one) => one.parameter === parameter),
  );
  if (!form || parameter === undefined) return undefined;
  return { form, parameter, template, clicks: clicks.split('\n').filter(Boolean), viewer, url };
}

/** What is stored to have an expression shown in a dialog. */
export const storedExpression = ({ template }: StoredScript, expression: string): string =>
  template.replace(slot, () => expression);
