import type { Exchange } from '../../model/http.ts';
import { visibleText } from '../../probe/html/text.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import { deniesIn } from './signs.ts';

/** By its status, or by what its JSON says: a server of GraphQL answers 200 to everything. */
export const refuses = (answer: Exchange): boolean =>
  answer.status === 401 || answer.status === 403 || deniesIn(answer);

/** An interface that refuses by its status or its JSON gives data or a word, and a cookie that a refusal lacks, and asks for nothing more. */
export function opensSession(shown: Exchange, refused: Exchange): boolean {
  if (!refuses(refused)) return false;
  const isJson = /^\s*\{/.test(shown.text);
  const isWord = !isJson && shown.text.length <= maxWordLength && !isHtml(shown);
  if (isJson ? deniesIn(shown) : !isWord || complains(shown)) return false;
  return sessionCookies(shown, [refused]).length > 0 && !furtherStep.test(shown.text);
}

/** "ok", or nothing. */
const maxWordLength = 80;

/** Cookies of a session's length that an answer sets, and others do not. */
export function sessionCookies(shown: Exchange, others: readonly Exchange[]): string[] {
  const cookiesOf = (exchange: Exchange) =>
    exchange.headerValues('set-cookie').flatMap((line) => /^\s*([^=;]+)=[^;]{8}/.exec(line)?.[1] ?? []);
  const given = new Set(others.flatMap(cookiesOf));
  return cookiesOf(shown).filter((name) => !given.has(name));
}

const furtherStep = /otp|2fa|mfa|two.?factor|factor|code|pin\b|verif|challenge|next|step|pending/i;

/** A page that knows the password and asks for one thing more. */
export const asksFurther = ({ text, request }: Exchange): boolean =>
  parsePage(text, request.url).forms.some(({ fields }) => fields.some(({ name }) => furtherStep.test(name)));

/** Words of pages for what they cannot work with. */
const complaint =
  /warn|error|invalid|expect|array|string|\btype|must|missing|required|please|fill|block|reject|denied|support|wrong|bad|not |again|fail|fehler|ung[üu]ltig/i;
export const complains = ({ text }: Exchange): boolean => complaint.test(visibleText(text));
