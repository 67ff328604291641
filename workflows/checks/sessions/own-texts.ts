import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { isPersonal, mostPersonalFirst, patternFor, textsOf, textsShown } from './private-text.ts';
import { isPrivileged } from './roles.ts';

/** A text that the answer at an address has for one user alone, and a pattern that finds it. */
export type OwnText = { text: string; pattern: string };

/**
 * Looks for something of a user in an answer: what two of their sessions are shown, and neither visitors nor other users of
 * their kind. Tokens of a session, and what changes with each request, are none. Costs a request for each of these.
 * @param other a second session of the same user
 * @throws ProbeError
 */
export async function ownTextAt(
  context: CheckContext,
  user: Identity,
  other: Identity,
  url: string,
): Promise<OwnText | undefined> {
  const { http, identities } = context;
  const as = ({ jar, headers }: Identity) => http.get(url, { jar, headers, fresh: true });
  const [own, again] = [await as(user), await as(other)];
  if (own.status !== 200 || again.status !== 200) return undefined;
  const peers = Object.values(identities).filter(
    (each) => each.name !== user.name && isPrivileged(each) === isPrivileged(user),
  );
  const others = [await http.get(url, { fresh: true })];
  for (const peer of peers) others.push(await as(peer));
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
