import type { Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';

/** What errors say to whoever has no session, or too few rights. Source of the codes: Apollo Server, "Built-in error codes". */
const refusing =
  /un-?authenticated|un-?authori[sz]ed|forbidden|\bnot (?:authenticated|authori[sz]ed|allowed|permitted|(?:logged|signed)[- ]?in)|\b(?:log|sign)[- ]?in (?:first|to|is required|required)|\b(?:please|must|need to|have to|has to) (?:be )?(?:log|sign)(?:ged|ed)?[- ]?in|\b(?:login|sign-?in|authentication|authori[sz]ation) (?:is |was )?(?:required|needed|missing)|access denied|permission|\b(?:missing|invalid|no) (?:\w+ )?(?:token|session|credentials)/i;
/** Of an answer that is an error and nothing else. */
const mostMembers = 4;

/** A login or more rights are asked for: by the status, or in JSON that has an error and nothing else, as servers of GraphQL answer. */
export const refusesVisitor = ({ status, text }: Exchange): boolean =>
  status === 401 || status === 403 || (/^\s*\{/.test(text) && refusing.test(errorIn(parseJson(text))));

function errorIn(answer: unknown): string {
  const { data, errors, ...others } = Object(answer) as Record<string, unknown>;
  if (Array.isArray(errors)) return isNothing(data) ? JSON.stringify(errors.map(saidBy)) : '';
  const members = Object.entries(others);
  const isError = isNothing(data) && members.length <= mostMembers && members.every(([, each]) => !isObject(each));
  return isError ? JSON.stringify(members.filter(([name]) => /err|message|msg|detail|reason|code/i.test(name))) : '';
}

const saidBy = (error: unknown): unknown[] => {
  const { message, extensions } = Object(error) as { message?: unknown; extensions?: unknown };
  return [message, (Object(extensions) as { code?: unknown }).code];
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** No value at all, or one for nothing that was asked for. */
const isNothing = (data: unknown): boolean =>
  data === undefined || data === null || (isObject(data) && Object.values(Object(data)).every((each) => each === null));
