import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { isPersonal, mostPersonalFirst, patternFor, textsOf, textsShown } from './private-text.ts';
import { isPrivileged } from './roles.ts';

/** A text that the answer at an address has for one user alone, and a pattern that finds it. */
export type OwnText = { text: string; pattern: string };

/** Asks as somebody; as nobody without. */
type AskAs = (visitor?: Identity) => Promise<Exchange>;

/** What `ownTextOf` finds in the answer at an address. */
export const ownTextAt = (
  context: CheckContext,
  user: Identity,
  other: Identity,
  url: string,
): Promise<OwnText | undefined> =>
  ownTextOf(context, user, other, (visitor) =>
    context.http.get(url, { ...(visitor && { jar: visitor.jar, headers: visitor.headers }), fresh: true }),
  );

/**
 * Looks for something of a user in an answer: what two of their sessions are shown, and neither visitors nor other users of
 * their kind. Tokens of a session, and what changes with each request, are none. Costs a request for each of these.
 * @param other a second session of the same user
 * @throws ProbeError
 */
export async function ownTextOf(
  context: CheckContext,
  user: Identity,
  other: Identity,
  ask: AskAs,
): Promise<OwnText | undefined> {
  const [own, again] = [await ask(user), await ask(other)];
  if (own.status !== 200 || again.status !== 200) return undefined;
  const peers = Object.values(context.identities).filter(
    (each) => each.name !== user.name && isPrivileged(each) === isPrivileged(user),
  );
  const others = [await ask()];
  for (const peer of peers) others.push(await ask(peer));
  const known = textsIn(again);
  // With nobody to compare, "Welcome back" would pass for a name.
  const isOwn = (text: string) => known.has(text) && isPlain(text) && (peers.length > 0 || isPersonal(text));
  for (const text of mostPersonalFirst([...textsShown(context, own)].filter(isOwn))) {
    if (others.some((answer) => answer.text.includes(text))) continue;
    const pattern = patternFor(text, [own.text, again.text]);
    if (pattern !== undefined) return { text, pattern };
  }
  return undefined;
}

const textsIn = ({ text, header }: Exchange): Set<string> => textsOf(text, header('content-type') ?? '');

/** Is written the same in an answer and in the HTML that a browser makes of it. */
const isPlain = (text: string): boolean => !/[&<>"\u00a0]/.test(text);
