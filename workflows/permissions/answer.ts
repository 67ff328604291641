import { createHash } from 'node:crypto';
import { textsOf } from '../checks/sessions/private-text.ts';
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
};

/** What came back, or why nothing did. */
export type MatrixAnswer = Answered | { untried: string };

/** @property answers one for each visitor, in their order */
export type MatrixRow = { address: MatrixAddress; answers: MatrixAnswer[] };

export const isSuccess = (answer: MatrixAnswer): answer is Answered =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

/** Pages say what they are about before this many pieces of text. */
const maxTexts = 400;
const maxLineLength = 120;
const minLineLength = 6;

export function answerOf(exchange: Exchange): Answered {
  const { status, request, header } = exchange;
  const location = resolve(header('location'), request.url);
  const answer = { status, hasLoginForm: isHtml(exchange) && hasPasswordField(exchange), texts: new Set<string>() };
  return {
    ...answer,
    ...(isSuccess(answer) ? { texts: textsIn(exchange) } : {}),
    ...(location === undefined ? {} : { location }),
  };
}

/** @param again the answer to the same request, in which what changes with each load is another */
export function stableIn(answer: Answered, again: Exchange): Answered {
  const texts = textsIn(again);
  return { ...answer, texts: new Set([...answer.texts].filter((text) => texts.has(text))) };
}

const typeOf = ({ header }: Exchange): string => (header('content-type') ?? '').toLowerCase();
const isHtml = (exchange: Exchange): boolean => typeOf(exchange).includes('html');

const hasPasswordField = ({ text, request }: Exchange): boolean =>
  parsePage(text, request.url).forms.some(({ fields }) => fields.some(({ type }) => type === 'password'));

/** Pieces of text of a page or of JSON, lines of other texts, and for anything else a digest of the whole. */
function textsIn(exchange: Exchange): Set<string> {
  const type = typeOf(exchange);
  if (type.includes('html') || type.includes('json') || type === '')
    return new Set([...textsOf(exchange.text, type)].slice(0, maxTexts));
  if (type.startsWith('text/')) return new Set(linesOf(exchange.text).slice(0, maxTexts));
  return new Set([createHash('sha256').update(exchange.body).digest('base64')]);
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().slice(0, maxLineLength))
    .filter(({ length }) => length >= minLineLength);
