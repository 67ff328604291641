import type { Candidate } from '../../model/candidate.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, notApplicable } from '../contract.ts';
import { anyJwtsOf, type CarriedJwt } from '../sessions/jwt.ts';
import { type MarkedPage, markedPage } from '../sessions/own-sessions.ts';
import { lacksIdentities } from '../sessions/site-login.ts';

/** A token of an identity's session, and a page that only its owner is shown. */
export type TokenOnPage = { identity: Identity; carried: CarriedJwt; page: MarkedPage };

/**
 * Looks at the tokens of all identities until one shows a weakness: how tokens are verified is one property of the site, whatever
 * page takes them.
 * @param look what the weakness is, and the page that shows it
 */
export async function firstToken<D extends { page: MarkedPage }>(
  context: CheckContext,
  look: (token: TokenOnPage) => Promise<(Pick<Candidate, 'detail' | 'cvss'> & { data: D }) | undefined>,
) {
  const identities = Object.values(context.identities);
  if (identities.length === 0) return lacksIdentities(context, 'an identity with a proven login');
  const tokens = identities.flatMap((identity) => anyJwtsOf(identity).map((carried) => ({ identity, carried })));
  if (tokens.length === 0) return notApplicable('No session is a signed JSON Web Token.');
  for (const { identity, carried } of tokens) {
    const page = await markedPage(context, identity);
    const found = page && (await look({ identity, carried, page }));
    if (!found) continue;
    const location = { url: found.data.page.url, parameter: carried.name, parameterIn: carried.in };
    return [{ location, route: '/', ...found }];
  }
  return [];
}

/** Whether the page of an account opens with this token in the place of the session's own. */
export async function opensWith(
  { http }: Pick<CheckContext, 'http'>,
  carried: CarriedJwt,
  page: MarkedPage,
  token: string,
): Promise<boolean> {
  const { status, text } = await http.get(page.url, { headers: carried.headersWith(page.url, token), fresh: true });
  return status === 200 && text.includes(page.marker);
}
