import type { FormSurface, Surface } from '../../model/surface.ts';
import { takesUpload } from '../../probe/gate/structure.ts';
import { labelledInputs } from '../accounts/registering-labels.ts';
import { accountBy, asksForMail, registrationsIn, withAccount } from '../accounts/registrations.ts';
import type { StoringForm } from './storing-form.ts';

/**
 * Forms by which somebody opens an account: names are shown to others, in lists of members and to who administers them.
 * @param ofForm the form with its texts as inputs
 */
export function registeringForms(surface: Surface, ofForm: (form: FormSurface) => StoringForm): StoringForm[] {
  return registrationsIn(labelledInputs(surface)).flatMap(({ url, page }) => {
    const form = surface.forms.find(
      ({ method, action, pageUrl }) => method === 'POST' && action === url && pageUrl === (page?.url ?? pageUrl),
    );
    if (!form || takesUpload(form)) return [];
    const opening = ofForm(form);
    const mails = opening.inputs.filter(({ parameter }) => asksForMail(parameter));
    return {
      ...opening,
      inputs: opening.inputs.map((input) => withAccount(input, accountBy('nonce3'))),
      addresses: {
        ...opening.addresses,
        ...Object.fromEntries(mails.map(({ parameter }) => [parameter, 'email'] as const)),
      },
      opensAccount: true as const,
    };
  });
}
