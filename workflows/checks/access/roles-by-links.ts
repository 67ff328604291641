import type { Identity } from '../../model/identity.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { endsSession } from '../../probe/session-words.ts';
import { ProofError } from '../../proof/proof-error.ts';
import { parsePage } from '../../survey/page.ts';
import { lastPart } from '../accounts/asked-fields.ts';
import { openAtOnce } from '../accounts/opened-at-once.ts';
import type { CheckContext } from '../contract.ts';
import { isRefusing } from '../decisions/refused-page.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { type GrantedRole, roleByPage } from './granted-roles.ts';

const roleField = /^(?:(?:user|account|member)[-_]?)?(?:role|type|group|level)$/i;
const word = /^[a-z][a-z_-]{2,20}$/i;
/** With the four of the proof they are seven accounts. */
const roles = ['admin', 'staff', 'manager'] as const;
const maxLinks = 3;

/**
 * A page to which an account is led that registered with another word in a field for its role, and which refuses others.
 * @throws ProbeError
 */
export async function rolesByLinks(
  context: CheckContext,
  user: Identity,
  registration: InputSurface,
): Promise<GrantedRole[]> {
  const field = registration.others.find(({ name, value }) => roleField.test(lastPart(name)) && word.test(value));
  if (!field || context.writes !== 'create') return [];
  const plain = contextAs(context, user, context.surfaces[user.name] ?? context.surface);
  const known = new Set(linksOf(await plain.http.get(user.checkUrl, { fresh: true })));
  const offered = offeredIn(context.surface, registration, field.name);
  for (const value of roles.filter((role) => role !== field.value.toLowerCase() && !offered.has(role))) {
    const extra = { field: lastPart(field.name), value };
    const description = `An account was registered with ${extra.field} "${extra.value}".`;
    const opened = await openAtOnce(context, registration, description, [extra]).catch(unlessLeftOut);
    if (!opened) return [];
    const raised = opened.own;
    const page = await raised.http.get(user.checkUrl, { fresh: true });
    const further = linksOf(page).filter((url) => !known.has(url));
    for (const url of further.slice(0, maxLinks)) {
      const [shown, refused] = [
        await raised.http.get(url, { fresh: true }),
        await plain.http.get(url, { fresh: true }),
      ];
      if (shown.status === 200 && !isRefusing(shown) && isRefusing(refused)) return [roleByPage(url, [extra])];
    }
  }
  return [];
}

/** What the form lets everybody choose is no role of somebody else's. */
const offeredIn = ({ forms }: Surface, { url }: InputSurface, name: string): Set<string> =>
  new Set(
    forms
      .filter(({ action }) => action === url)
      .flatMap(({ fields }) => fields.filter((field) => field.name === name))
      .flatMap(({ value, options = [] }) => [value, ...options])
      .map((value) => value.toLowerCase()),
  );

function linksOf({ text, request }: { text: string; request: { url: string } }): string[] {
  const { origin } = new URL(request.url);
  const urls = parsePage(text, request.url).links.map(({ url }) => url.replace(/#.*$/s, ''));
  return [...new Set(urls)].filter((url) => URL.parse(url)?.origin === origin && !endsSession.test(url));
}

function unlessLeftOut(error: unknown): undefined {
  if (error instanceof ProofError || isLeftOut(error)) return undefined;
  throw error;
}
