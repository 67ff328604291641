import type { Verdict } from '../model/gate.ts';
import type { Exchange } from '../model/http.ts';
import type { FormSurface } from '../model/surface.ts';
import { letsIn } from '../probe/gate/structure.ts';
import { answersWith, namesWhatWasMade } from './direct-answer.ts';
import type { PageWatch, WatchedPage } from './page-watch.ts';
import { refusesField, saysMore } from './refused-field.ts';
import { refusesVisitor } from './refused-visitor.ts';
import type { Submission } from './submission.ts';

/** What one submission was seen to do. */
export type ObservedSubmission = {
  submission: Submission;
  verdict: Verdict;
  /** The page that shows what was stored, or that has the form. */
  place: string;
  /** The answer says that it could not work with what was sent. */
  isRefused?: true;
  /** The application refused the request by its status, or was merely asked for a text, and no page around the form showed a change. */
  hadNoEffect?: true;
  /** The application takes it from others only. */
  isShut?: true;
  /** Its fields kept what was sent, were sent as they had been, and its page shows them so. */
  isPutBack?: true;
};

type ObserveTools = {
  watch: PageWatch;
  /** Redirects are not followed. Undefined when no answer came. */
  send(submission: Submission): Promise<Exchange | undefined>;
  /** Others were told of it, who had not asked. */
  isHeard?(submission: Submission): boolean;
};

/**
 * Sends a form once, and reads what is around it before and after.
 * @param pages where it would show that something is stored
 * @param isTrusted it looks up or calculates by structure: the pages are read, and only values found stored count against it
 *   once after all forms were sent
 */
export async function observe(
  { watch, send, isHeard }: ObserveTools,
  submission: Submission,
  pages: readonly string[],
  isTrusted: boolean,
): Promise<ObservedSubmission> {
  const before = await watch.before(isTrusted ? [] : pages);
  const answer = await send(submission);
  if (isHeard?.(submission)) return { submission, verdict: 'writes', place: submission.pageUrl };
  const next = answer && leadsTo(answer, submission);
  const inPlain = [...(isTrusted ? [] : pages), ...(next === undefined || pages.includes(next) ? [] : [next])].filter(
    (url) => !before.some((reading) => reading.url === url),
  );
  const seen: WatchedPage[] = [];
  for (const reading of before) {
    const after = await watch.after(reading);
    if (!after) continue;
    if (after.changed || (await isKept(watch, after.reading, submission)))
      return { submission, verdict: 'writes', place: reading.url };
    seen.push(after.reading);
  }
  for (const url of inPlain) {
    const reading = await watch.read(url);
    if (!reading) continue;
    if (await isKept(watch, reading, submission)) return { submission, verdict: 'writes', place: url };
    seen.push(reading);
  }
  const page = before.find(({ url }) => url === submission.pageUrl)?.text;
  const isMarked = answer !== undefined && saysRefused(answer, page, submission);
  const seenVerdict = verdictOf(submission, answer, seen, isTrusted);
  const verdict = seenVerdict === 'reads' && isMarked && !isTrusted ? 'unknown' : seenVerdict;
  return {
    submission,
    place: submission.pageUrl,
    verdict,
    ...(answer && (isMarked || refusesValue(answer)) ? { isRefused: true } : {}),
    ...(answer && refusesVisitor(answer) ? { isShut: true } : {}),
    ...(answer && (submission.asks || refusesRequest(answer)) && before.length > 0 ? { hadNoEffect: true } : {}),
  };
}

/** What a login refuses are a name and a secret of nobody: it is shut to nobody. */
export function ofNobody(form: FormSurface, observed: ObservedSubmission): ObservedSubmission {
  const { isShut: _, ...open } = observed;
  return letsIn(form) ? open : observed;
}

/** What adds or saves something says in one place of its page why it did not. */
const saysRefused = ({ text }: Exchange, page: string | undefined, { words, adds }: Submission): boolean =>
  refusesField(text, page ?? '', words) || (adds === true && page !== undefined && saysMore(text, page));

/** Nothing was accepted. A server that failed may have done a part of its work. Source: RFC 9110 §15.5. */
const refusesRequest = ({ status }: Exchange): boolean => [400, 401, 403, 404, 405, 415, 422].includes(status);

/** The value, and not the visitor, the method or the place. */
const refusesValue = ({ status }: Exchange): boolean => status === 400 || status === 422 || status === 500;

/** A message that is shown once is not kept. */
export async function isKept(
  watch: Pick<PageWatch, 'read'>,
  reading: WatchedPage,
  submission: Pick<Submission, 'words'>,
): Promise<boolean> {
  if (!shows(reading, submission)) return false;
  const again = await watch.read(reading.url);
  return again !== undefined && shows(again, submission);
}

/** Whether a page that is asked for without our values shows one of them. */
const shows = ({ url, text }: WatchedPage, { words }: Pick<Submission, 'words'>): boolean =>
  words.some((word) => !url.includes(word) && hasWord(text, word));

/** A number of ours is no part of a longer one, nor of a digest, where letters and further digits stand around it. */
function hasWord(text: string, word: string): boolean {
  if (!/^\d+$/.test(word)) return text.includes(word);
  return new RegExp(String.raw`(?<!\d)(?<!\d[a-z]{1,40})${word}(?!\d)(?![a-z]{1,40}\d)`, 'i').test(text);
}

function verdictOf(
  submission: Submission,
  answer: Exchange | undefined,
  seen: readonly WatchedPage[],
  isTrusted: boolean,
): Verdict {
  if (answer && namesWhatWasMade(answer, submission)) return 'writes';
  if (isTrusted) return 'reads';
  if (!answer || answer.status >= 400 || refusesVisitor(answer)) return 'unknown';
  // Something was made. Source: RFC 9110 §15.3.2.
  if (answer.status === 201) return 'writes';
  if (submission.makes) return 'unknown';
  const hasWholePage = seen.some(({ isPartial }) => !isPartial);
  return hasWholePage && answersWith(answer, submission) ? 'reads' : 'unknown';
}

/** Where the answer redirects to, unless our values stand in that. */
function leadsTo(answer: Exchange, { url, words }: Submission): string | undefined {
  const { status } = answer;
  const location = answer.header('location');
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  target.hash = '';
  return words.some((word) => target.href.includes(word)) ? undefined : target.href;
}
