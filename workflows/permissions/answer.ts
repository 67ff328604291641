import { createHash } from 'node:crypto';
import { readTexts } from '../checks/sessions/private-text.ts';
import type { Exchange } from '../model/http.ts';
import { resolve } from '../probe/html/links.ts';
import { parsePage } from '../survey/page.ts';
import type { MatrixAddress } from './addresses.ts';

/** A column of the permission matrix: "" has no login. */
export type MatrixVisitor = { name: string; role: string; administrator: boolean };

/** What came back to one visitor. */
export type Answered = {
  status: number;
  /** Where a redirect leads, absolute. */
  location?: string;
  hasLoginForm: boolean;
  /** Pieces of what was shown that were the same each time; none of a refusal. */
  texts: ReadonlySet<string>;
  /** It is longer than what is compared: `texts` are of its beginning. */
  isCut: boolean;
};

/** What came back, or why nothing did. */
export type MatrixAnswer = Answered | { untried: string };

/** @property answers one for each visitor, in their order */
export type MatrixRow = { address: MatrixAddress; answers: MatrixAnswer[] };

export const isSuccess = (answer: MatrixAnswer): answer is Answered =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

/** As many as of pages. */
const maxLines = 2_000;
const maxLineLength = 120;
const minLineLength = 6;

export function answerOf(exchange: Exchange): Answered {
  const { status, request, header } = exchange;
  const location = resolve(header('location'), request.url);
  const hasLoginForm = isHtml(exchange) && hasPasswordField(exchange);
  const answer = { status, hasLoginForm, texts: new Set<string>(), isCut: false };
  return {
    ...answer,
    ...(isSuccess(answer) ? readIn(exchange) : {}),
    ...(location === undefined ? {} : { location }),
  };
}

/** @param again the answer to the same request, in which everything that changes with each load differs */
export function stableIn(answer: Answered, again: Exchange): Answered {
  const { texts } = readIn(again);
  return { ...answer, texts: new Set([...answer.texts].filter((text) => texts.has(text))) };
}

const typeOf = ({ header }: Exchange): string => (header('content-type') ?? '').toLowerCase();
const isHtml = (exchange: Exchange): boolean => typeOf(exchange).includes('html');

/** Without one no page has to be read for that. */
const passwordPart = /<input\b[^>]{0,1000}password/i;

const hasPasswordField = ({ text, request }: Exchange): boolean =>
  passwordPart.test(text) &&
  parsePage(text, request.url).forms.some(({ fields }) => fields.some(({ type }) => type === 'password'));

/** Pieces of text of a page or of JSON, lines of other texts, and for anything else a digest of the whole. */
function readIn(exchange: Exchange): Pick<Answered, 'texts' | 'isCut'> {
  const { text, body, truncated } = exchange;
  const type = typeOf(exchange);
  if (type.includes('html') || type.includes('json') || type === '') {
    const { texts, left } = readTexts(text, type);
    return { texts, isCut: truncated || left > 0 };
  }
  if (type.startsWith('text/')) {
    const lines = linesOf(text);
    return { texts: new Set(lines.slice(0, maxLines)), isCut: truncated || lines.length > maxLines };
  }
  return { texts: new Set([createHash('sha256').update(body).digest('base64')]), isCut: truncated };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().slice(0, maxLineLength))
    .filter(({ length }) => length >= minLineLength);
