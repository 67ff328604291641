import type { Candidate } from '../../model/candidate.ts';
import type { Exchange } from '../../model/http.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { isOtherThan } from '../decisions/answer-kinds.ts';
import { answerTo, type OpenedPage, openedBy, openedExperiment, type PageChange } from '../decisions/opened-page.ts';
import { isRefusing, refusedPages } from '../decisions/refused-page.ts';
import { likeliest } from '../inputs/at-most.ts';
import { asRead, othersLike, type SealedValue, sealedCookies, withChanged } from '../sessions/sealed-values.ts';

const maxCookies = 3;
const maxPages = 2;
/** Longer cookies are changed at their first bytes, where a role or a flag mostly stands. */
const maxPlaces = 160;
/** Places that show whether any change is taken. */
const sampled = 12;
/** Words for no rights and for all, of the same length. */
const exchanged = [
  ['0', '1'],
  ['guest', 'admin'],
  ['false', 'true '],
  ['user', 'root'],
] as const;

/** An encrypted cookie says that its sender may do more after some bits were changed. Source: CWE-649, WSTG-CRYP-04. */
export const bitFlipping = defineCheck<OpenedPage>({
  id: 'auth.bit-flipping',
  title: 'Privilege escalation by bit flipping in an encrypted cookie',
  cwe: 649,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 30,

  async detect(context) {
    const cookies = likeliest(context, sealedCookies(context), maxCookies, 'cookies that may be encrypted');
    if (cookies.length === 0) return notApplicable('No cookie may be something encrypted.');
    const malleable: SealedValue[] = [];
    for (const cookie of cookies) {
      const read = await asRead(context, cookie);
      if (read && (await isMalleable(context, read))) malleable.push(read);
    }
    if (malleable.length === 0) return [];
    const pages = likeliest(context, await refusedPages(context), maxPages, 'refused pages');
    const found: Candidate<OpenedPage>[] = [];
    for (const cookie of malleable) {
      const opened = (await openedOf(context, cookie, pages)) ?? (await openedByNewLink(context, cookie));
      if (!opened) continue;
      const location = { ...cookie.location, url: opened.change.refused.url };
      found.push({ location, route: '/', detail: `The page was shown after ${opened.change.what}.`, data: opened });
    }
    return found;
  },

  confirm: (_context, { data }) =>
    data && openedExperiment(data, 'With random bytes instead the page is refused: the cookie decides.'),

  explain: {
    description:
      'What a visitor may see is kept encrypted in a cookie, and nothing verifies that it comes back unchanged. In CBC, CTR and stream ciphers a bit that is changed in the cookie changes the same bit of what is decrypted.',
    impact:
      'Anybody changes a flag or a role at its place, without the key and without reading it, and sees and does what only others may.',
    sends:
      'Sends cookies that may be encrypted with a bit changed at up to 12 places; where some are taken, asks up to 2 refused pages, and the first page for links that it did not have, with each of the first 160 bytes changed from "0" to "1", and from a word for no rights to one for all.',
    proves:
      'A page that refuses the cookie as it was given is shown, twice, with some bits of it changed, and refused with random bytes. An attacker reads it.',
    remedy:
      'Encrypt with authentication: AES-GCM or ChaCha20-Poly1305, or a ready format (Fernet, `JWE`, libsodium `secretbox`). A nonce is never used twice. Better, keep rights on the server, beside the session.',
    references: [
      'CWE-649: https://cwe.mitre.org/data/definitions/649.html',
      'WSTG-CRYP-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/04-Testing_for_Weak_Cryptographic_Primitives',
    ],
  },
});

/** Whether some change of one bit is taken for the site's own, where other bytes are refused. */
async function isMalleable(context: CheckContext, cookie: SealedValue): Promise<boolean> {
  const { bytes } = cookie;
  const ask = (changed: Buffer) => answerTo(context, cookie.send(changed));
  const [own, one, other] = [await ask(bytes), await ask(othersLike(bytes, 0x5b)), await ask(othersLike(bytes, 0xb4))];
  const isOther = one && other ? isOtherThan([one, other]) : undefined;
  if (!own || !isOther?.(own)) return false;
  const step = Math.max(1, Math.floor(bytes.length / sampled));
  for (let place = 0; place < bytes.length; place += step) {
    const answer = await ask(withChanged(bytes, place, 1));
    if (answer && isOther(answer)) return true;
  }
  return false;
}

/** A text at a place becomes another one, if it stands there. */
function withWord(bytes: Buffer, place: number, [from, to]: readonly [string, string]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [index, letter] of [...from].entries())
    copy[place + index] = (copy[place + index] ?? 0) ^ letter.charCodeAt(0) ^ to.charCodeAt(index);
  return copy;
}

type Flip = { what: string; bytes: Buffer };

/** The cookie with each word exchanged at each place. */
function* flipsOf(context: CheckContext, { bytes }: SealedValue): Generator<Flip> {
  for (const words of exchanged) {
    if (context.allowance() <= 0) {
      context.leave({ code: 'budget', count: 1, text: 'an encrypted cookie was not changed in all ways' });
      return;
    }
    const places = Math.min(bytes.length - words[0].length + 1, maxPlaces);
    for (let place = 0; place < places; place += 1)
      yield {
        what: `byte ${place} of the cookie changed as "${words[0]}" becomes "${words[1]}"`,
        bytes: withWord(bytes, place, words),
      };
  }
}

const changeOf = ({ bytes, send }: SealedValue, flip: Flip, url: string): PageChange => ({
  what: flip.what,
  refused: send(bytes, url),
  changed: send(flip.bytes, url),
  twin: send(othersLike(bytes, 0x5b), url),
});

async function openedOf(
  context: CheckContext,
  cookie: SealedValue,
  pages: readonly Exchange[],
): Promise<OpenedPage | undefined> {
  for (const { request } of pages) {
    const opened = await openedByFlip(context, cookie, request.url);
    if (opened) return opened;
  }
  return undefined;
}

async function openedByFlip(context: CheckContext, cookie: SealedValue, url: string): Promise<OpenedPage | undefined> {
  // It may have refused whoever had no cookie.
  const before = await answerTo(context, cookie.send(cookie.bytes, url));
  if (!before || !isRefusing(before)) return undefined;
  for (const flip of flipsOf(context, cookie)) {
    const opened = await openedBy(context, changeOf(cookie, flip, url), { elsewhere: [] });
    if (opened) return opened;
  }
  return undefined;
}

/** A page to which the first page links for whoever sends the changed cookie, and for nobody else. */
async function openedByNewLink(context: CheckContext, cookie: SealedValue): Promise<OpenedPage | undefined> {
  const { url } = context.surface;
  const linksOf = async (bytes: Buffer): Promise<string[]> => {
    const answer = await answerTo(context, cookie.send(bytes, url));
    return answer && isHtml(answer) ? parsePage(answer.text, url).links.map((link) => link.url) : [];
  };
  const known = new Set(await linksOf(cookie.bytes));
  if (known.size === 0) return undefined;
  for (const flip of flipsOf(context, cookie))
    for (const link of await linksOf(flip.bytes)) {
      if (known.has(link) || new URL(link).origin !== new URL(url).origin) continue;
      known.add(link);
      const opened = await openedBy(context, changeOf(cookie, flip, link), { elsewhere: [] });
      if (opened) return opened;
    }
  return undefined;
}
