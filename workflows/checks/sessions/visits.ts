import type { CaptureRule, HttpAction, Step } from '../../model/experiment.ts';
import type { CookieJar, Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { fillAction, fillCapture, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { capturedFrom, cookiesOf } from '../inputs/open-input.ts';
import { contextAs } from '../visitors/as-visitor.ts';

/** Somebody with cookies of its own, who has just come. */
export const newVisitor = ({ http, surface }: Pick<CheckContext, 'http' | 'surface'>): Identity => ({
  ...{ name: '', role: '', jar: http.newJar(), headers: [], checkUrl: surface.url, marker: '' },
});

/** Sends what stores something, with the cookies of a visitor, who keeps those of the answer. @throws ProofError, ProbeError */
export async function storeAsVisitor(
  context: CheckContext,
  jar: CookieJar,
  action: HttpAction,
): Promise<Exchange | undefined> {
  const cookies = jar.header(action.url);
  const headers = [...(action.headers ?? []), ...(cookies === '' ? [] : [['Cookie', cookies] as const])];
  const answer = await context.store?.('', { ...action, headers }, async (each) => each);
  if (answer) jar.store(answer.request.url, answer.headerValues('set-cookie'));
  return answer;
}

/** A request of a visitor, as a step without the cookies that it carries and captures. */
export type VisitedStep = Pick<Step, 'note' | 'expect' | 'hasEffect'> & { http: HttpAction; capture?: CaptureRule[] };

/** What a visitor without an account sends and is shown, one request after the other, with the cookies that the answers give it. */
export type Visit = {
  /** @returns undefined where the answer lacks what is captured of it, or the site breaks. @throws ProofError, ProbeError */
  send(request: VisitedStep): Promise<Exchange | undefined>;
  /** Captures more of the last answer. @returns whether all was there */
  take(rules: readonly CaptureRule[]): boolean;
  /** The Cookie header of the next request, by references; "" without cookies. */
  cookies(): string;
  /** The same requests as steps of an experiment, whose visitor is given cookies by the same answers. */
  steps(): Step[];
};

export function createVisit(context: CheckContext): Visit {
  const visitor = newVisitor(context);
  const { http } = contextAs(context, visitor, context.surface);
  const values = newTrialValues(context.nonce);
  const names: string[] = [];
  const steps: Step[] = [];
  let last: Exchange | undefined;
  const cookiesNow = () => names.map((name, index) => `${name}=‹visit${index + 1}›`).join('; ');
  const captured = (answer: Exchange, rules: readonly CaptureRule[]): boolean =>
    rules.every((rule) => {
      const value = capturedFrom(answer, fillCapture(rule, values));
      if (value !== undefined) values.set(rule.name, value);
      return value !== undefined;
    });
  return {
    async send(request) {
      const cookies = cookiesNow();
      const headers = [...(request.http.headers ?? []), ...(cookies === '' ? [] : [['Cookie', cookies] as const])];
      const filled = filledHttp(request.http, values);
      const answer =
        filled.lasting || filled.ofLogin
          ? await storeAsVisitor(context, visitor.jar, filled)
          : await http.get(filled.url, { fresh: true });
      if (!answer || answer.status >= 500) return undefined;
      if (!captured(answer, request.capture ?? [])) return undefined;
      // Of several answers at once nobody knows which one comes last.
      const set = request.http.copies === undefined ? cookiesOf(answer).map(({ rule }) => rule) : [];
      for (const { subject } of set) if (!names.includes(nameIn(subject))) names.push(nameIn(subject));
      const rules = set.map((rule) => ({ ...rule, name: `visit${names.indexOf(nameIn(rule.subject)) + 1}` }));
      const capture = [...(request.capture ?? []), ...rules];
      steps.push({ ...request, http: { ...request.http, headers }, ...(capture.length > 0 ? { capture } : {}) });
      last = answer;
      return answer;
    },
    take(rules) {
      const step = steps.at(-1);
      if (!last || !step || !captured(last, rules)) return false;
      if (rules.length > 0) step.capture = [...(step.capture ?? []), ...rules];
      return true;
    },
    cookies: cookiesNow,
    steps: () => steps,
  };
}

const nameIn = (subject: string): string => subject.replace(/^cookie:/, '');

function filledHttp(http: HttpAction, values: TrialValues): HttpAction {
  const filled = fillAction({ http }, values);
  return 'http' in filled ? filled.http : http;
}
