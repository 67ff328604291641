import { kindOfForm } from '../../probe/gate/structure.ts';
import { decoded, folded } from '../../probe/gate/words/spelling.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { isPrivileged } from '../sessions/roles.ts';
import type { StoringForm } from './storing-form.ts';

/** What is written to those who run a site, as parts of addresses. */
const handled = new RegExp(
  `(?:^|[/_.-])(?:${[
    'tickets?|support|help-?desk|service-?desk|complaints?|grievances?|claims?|enquir(?:y|ies)|inquir(?:y|ies)|feedbacks?|appeals?|incidents?',
    'applications?|appl(?:y|ies)|submissions?|requests?|orders?|bookings?|reservations?|appointments?|quotes?|quotations?|contact(?:-?us)?',
    'report-?(?:an?-?)?(?:problem|issue|bug|abuse|fault|error)',
    'anfragen?|beschwerden?|antr(?:a|ae)ge?|bestellung(?:en)?|buchung(?:en)?|reklamation(?:en)?|kontakt|meldung(?:en)?',
    'plaintes?|reclamations?|demandes?|commandes?|assistance|quejas?|reclamos?|solicitud(?:es)?|pedidos?|reservas?|consultas?|soporte|suporte|chamados?',
    'segnalazion[ei]|reclam[io]|richiest[ae]|ordin[ei]|prenotazion[ei]|assistenza|klacht(?:en)?|aanvra(?:ag|gen)|bestelling(?:en)?|meldingen',
    'zgloszenia?|zamowieni[ae]|wnios(?:ek|ki)|reklamac[ej][ae]?|objednavk[ay]|zadost[i]?|обращени[ея]|жалоб[аы]|заявк[аи]|заказы?|工单|投诉|訂單|订单|申请|問い合わせ|お問い合わせ|注文|문의|주문',
  ].join('|')})(?:[/_.-]|$)`,
  'u',
);
/** What answers there is a program, or those who talk with each other. */
const conversing =
  /chat|assistant|(?:^|[/_.-])(?:bots?|ai|prompts?|playground|notes?|drafts?|diary|journal)(?:[/_.-]|$)/;

/**
 * Whether a form hands its text over to somebody, as a ticket or an order is: those who run the site read it, even where no other
 * visitor is shown it. By the words of its address and its page, or as a message that its button sends. Where the audit has an
 * administrator, what that one is shown is seen.
 */
export function isHandedOver(
  { surface, surfaces, identities }: Pick<CheckContext, 'surface' | 'surfaces' | 'identities'>,
  { identity, pageUrl, inputs: [first], plan }: StoringForm,
): boolean {
  if (!first || first.method === 'GET' || plan || Object.values(identities).some(isPrivileged)) return false;
  const paths = [first.url, pageUrl].map((url) => folded(decoded(namedPath(url))));
  if (paths.some((path) => conversing.test(path))) return false;
  const forms = (surfaces[identity] ?? surface).forms.filter(({ action }) => action === first.url);
  return paths.some((path) => handled.test(path)) || forms.some((form) => kindOfForm(form).kind === 'message');
}
