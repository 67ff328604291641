import type { Exchange } from '../model/http.ts';
import type { FormSurface, Surface } from '../model/surface.ts';
import { entryOfForm, entryOfRequest, type SiteEntry } from '../probe/gate/entries.ts';
import { keysOfForm } from '../probe/gate/form-key.ts';
import { keysOfEntry } from '../probe/gate/known-entries.ts';
import { createInputTest } from './bare-forms.ts';
import { asForm, documentRequests, neutralDocument } from './document-submission.ts';
import { neutralScripted, scriptedForms } from './scripted-forms.ts';
import { tokensOfForm, withTokens } from './scripted-tokens.ts';
import { hasOwnState, type LeftAlone, type Neutral, neutralForm, type Submission } from './submission.ts';

type WithControls = {
  surface: Surface;
  /** The page of a form, in the session in which it is sent then. */
  open(url: string): Promise<Exchange | undefined>;
  sendsOwnValues: boolean;
  hasWritten(texts: readonly string[]): boolean;
  changesOthers: boolean;
};

/** @property keys of its submission, where they are known before it is made */
export type ObservedControl = {
  form: FormSurface;
  keys?: Pick<Submission, 'key' | 'exact'>;
  make(neutral: Neutral): Promise<Submission | LeftAlone>;
};

/** What a visitor's view has to be tried: forms, requests that documents describe, and those of scripts. */
export function observedControls({
  surface,
  open,
  sendsOwnValues,
  hasWritten,
  changesOthers,
}: WithControls): ObservedControl[] {
  const takesInput = createInputTest(surface);
  const kindOf = ({ place, fields }: SiteEntry) => `${place} ${fields}`;
  const entries = surface.forms.flatMap((form) => entryOfForm(form) ?? []);
  const own = new Set(entries.filter(({ isShown, texts }) => isShown && hasWritten(texts)).map(kindOf));
  // With other texts an entry of somebody would be changed.
  const unlessOthers = (entry: SiteEntry | undefined, make: ObservedControl['make']): ObservedControl['make'] => {
    if (!entry?.isShown) return make;
    if (!hasWritten(entry.texts))
      return changesOthers && !own.has(kindOf(entry)) ? make : async () => 'keeps-what-it-shows';
    return async (neutral) => {
      const made = await make(neutral);
      return typeof made === 'string' ? made : { ...made, entries: keysOfEntry(entry) };
    };
  };
  const forms = surface.forms.map(
    (form): ObservedControl => ({
      form,
      keys: keysOfForm(form),
      make: unlessOthers(entryOfForm(form), async (neutral) => {
        const html = hasOwnState(form) ? ((await open(form.pageUrl))?.text ?? '') : '';
        const made = neutralForm(form, html, neutral, sendsOwnValues && takesInput(form));
        return typeof made === 'string' ? made : withTokens(tokensOfForm(form, surface.inputs), made);
      }),
    }),
  );
  const requests = documentRequests(surface.inputs).map((request): ObservedControl => {
    const form = asForm(request);
    const entry = request.isCaptured ? entryOfRequest(form) : undefined;
    return { form, make: unlessOthers(entry, async (neutral) => neutralDocument(request, neutral, sendsOwnValues)) };
  });
  const scripted = scriptedForms(surface).map(
    (request): ObservedControl => ({
      form: request.form,
      make: unlessOthers(entryOfRequest(request.form), async (neutral) =>
        neutralScripted(request, neutral, sendsOwnValues),
      ),
    }),
  );
  return [...forms, ...requests, ...scripted];
}
