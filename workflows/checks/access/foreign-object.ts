import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { graphQlRequest } from '../../probe/graphql-address.ts';
import type { CheckContext } from '../contract.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { isMailAddress, patternFor } from '../sessions/private-text.ts';
import { namesObject } from './list-names.ts';
import { privateTextsIn } from './private-object.ts';

/** An address that may show one user what belongs to another. */
export type ForeignObject = {
  url: string;
  /** Where the owner is led to the same object, if elsewhere. */
  ownersUrl?: string;
  /** What names the object in the address, decoded. */
  identifier: string;
  owner: string;
  reader: string;
  /** An address of the same kind whose answer holds nothing of the owner: an object of the reader, or none. */
  readersOwn?: { url: string; note: string; status?: string };
};

/** What users are shown at the address, and elsewhere. */
export type Views = {
  owner: Exchange;
  ownerAgain: Exchange;
  reader: Exchange;
  anonymous: Exchange;
  readersOther: Exchange[];
  /** What the reader is given of all objects of the kind. */
  readersLists: Exchange[];
  ownersOther: Exchange[];
};

/** Pages about a user themselves, beside the one that shows whose session it is. */
type AboutThem = { owner: readonly string[]; reader: readonly string[] };

/** @throws ProbeError */
export async function viewsOf(
  { http, identities }: CheckContext,
  object: ForeignObject,
  about: AboutThem = { owner: [], reader: [] },
): Promise<Views | undefined> {
  const [owner, reader] = [identities[object.owner], identities[object.reader]];
  if (!owner || !reader) return undefined;
  const as = ({ jar, headers }: Identity, url: string) => http.get(url, { fresh: true, jar, headers });
  const all = async (identity: Identity, urls: readonly string[]) => {
    const answers: Exchange[] = [];
    for (const url of new Set(urls)) answers.push(await as(identity, url));
    return answers;
  };
  const { url, ownersUrl = url, readersOwn } = object;
  // An identifier of the trial has no answer yet.
  const twin = readersOwn === undefined || readersOwn.url.includes('‹') ? [] : [readersOwn.url];
  const list = listAbove(url, object.identifier);
  return {
    owner: await as(owner, ownersUrl),
    ownerAgain: await as(owner, ownersUrl),
    reader: await as(reader, url),
    anonymous: await http.get(url, { fresh: true }),
    readersOther: await all(reader, [reader.checkUrl, ...about.reader, ...twin]),
    readersLists: list === undefined ? [] : await all(reader, [list]),
    ownersOther: await all(owner, [owner.checkUrl, ...about.owner]),
  };
}

/** "/orders/" of "/orders/17": where sites list the objects of a kind. */
function listAbove(url: string, identifier: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/');
  const at = segments.findLastIndex(
    (segment) => percentDecodedOrSame(segment).replace(/\.\w{1,5}$/, '') === identifier,
  );
  return at > 1 ? origin + segments.slice(0, at).join('/') : undefined;
}

/**
 * Kinds of objects that are people. Members see each other's profiles on most sites, and each links to their own alone; so only what
 * the owner's pages about themselves hold says that a profile was not meant for others. "/profile?id=3" is one as "/profile/3" is.
 */
const people =
  /\/(?:members?|users?|people|persons?|profiles?|authors?|contacts?|friends|players?|artists?|sellers?|hosts?|team|u)(?:\.\w{1,5})?(?:\/\{\w+\})?\/?$/i;
export const isOfPerson = (route: string): boolean => people.test(route);

/**
 * Texts of the object itself that both users see, and neither an anonymous visitor nor the reader's own pages show; the
 * most personal first. None unless both see most of the object.
 */
export function privateTexts(context: OmissionReporter, views: Views, { identifier }: ForeignObject): string[] {
  if (views.readersLists.some((list) => namesObject(list, identifier))) return [];
  const { owner, ownerAgain, reader, anonymous, readersOther, ownersOther } = views;
  const open = [anonymous, ...readersOther];
  return privateTextsIn(context, { shown: [owner, ownerAgain], reader, open, frame: ownersOther[0], identifier }).all;
}

/** Texts that the owner's pages about themselves show as well. */
export const aboutOwner = (texts: readonly string[], { ownersOther }: Views): string[] =>
  texts.filter((text) => ownersOther.some((other) => other.text.includes(text)));

/** Nobody but the owner has it on the page about themselves, or it is of the name by which the owner logs in. */
export function hasOwnersAddress(
  texts: readonly string[],
  views: Views,
  { userName = '' }: Pick<Identity, 'userName'>,
) {
  const addresses = texts.filter(isMailAddress);
  const [name = ''] = userName.toLowerCase().split('@');
  const isNamed = (address: string) => name.length >= minNameLength && address.toLowerCase().startsWith(`${name}@`);
  return aboutOwner(addresses, views).length > 0 || addresses.some(isNamed);
}

/** Shorter names are those of others, too. */
const minNameLength = 5;

/** The experiment on the first text that can be read again by what stands before it. */
export function foreignExperiment(
  object: ForeignObject,
  texts: readonly string[],
  { owner, ownerAgain }: Views,
): Experiment | undefined {
  // Some servers of GraphQL answer no query in an address.
  const isPosted = owner.request.method === 'POST';
  for (const text of texts) {
    const pattern = patternFor(text, [owner.text, ownerAgain.text]);
    if (pattern !== undefined)
      return experimentFor(object, pattern, (url) => (isPosted && graphQlRequest(url)) || { url });
  }
  return undefined;
}

function experimentFor(
  { url, ownersUrl, owner, reader, readersOwn }: ForeignObject,
  pattern: string,
  asking: (url: string) => HttpAction,
): Experiment {
  const http = asking(url);
  const seen = [
    claim('status', 'equals', '200'),
    claim('body', 'contains', '‹private›', 'The text of the owner’s object.'),
  ];
  const readersNote =
    ownersUrl === undefined
      ? 'Another user reads the same text at the same address.'
      : 'Another user reads the same text below what is their own.';
  const ownPage = readersOwn && {
    http: asking(readersOwn.url),
    identity: reader,
    note: readersOwn.note,
    expect: [
      ...(readersOwn.status === undefined ? [] : [claim('status', 'equals', readersOwn.status)]),
      claim('body', 'not-contains', '‹private›'),
    ],
  };
  return {
    steps: [
      {
        http: ownersUrl === undefined ? http : asking(ownersUrl),
        identity: owner,
        note: 'The owner reads the object; a text of it is remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern, secret: true }],
      },
      { http, identity: reader, note: readersNote, expect: seen },
    ],
    control: [
      ...(ownPage ? [ownPage] : []),
      { http, note: 'Without a login the text is not shown: it is not public.', expect: seen },
    ],
  };
}
