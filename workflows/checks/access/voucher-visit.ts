import { type CaptureRule, claim, type HttpAction, type Step } from '../../model/experiment.ts';
import { fillAction, fillCapture, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { capturedFrom, cookiesOf } from '../inputs/open-input.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { newVisitor, redeeming, type SentCode, storeAsVisitor } from './once-codes.ts';
import { effectClaims, type VoucherRequest } from './voucher-steps.ts';

type VisitedStep = Pick<Step, 'note' | 'expect' | 'hasEffect'> & { http: HttpAction; capture?: CaptureRule[] };

/**
 * The same as `voucherSteps` for a visitor without an account, whose cookies are carried from step to step: it goes through the requests
 * once, to see which of the answers set cookies.
 * @returns undefined where a page has no token any more, or the site breaks
 * @throws ProofError, ProbeError
 */
export async function visitSteps(
  context: CheckContext,
  { input, shown }: SentCode,
  most: number,
  requests: readonly VoucherRequest[],
): Promise<Step[] | undefined> {
  const { opening } = input;
  const page: VisitedStep = {
    http: { url: opening?.url ?? input.page?.url ?? context.surface.url },
    note: 'A visitor without an account opens the page of the voucher.',
    expect: [claim('status', 'equals', '200')],
    ...(opening ? { capture: opening.captures } : {}),
  };
  const sends = requests.map(
    ({ code, note, copies }): VisitedStep => ({
      http: { ...redeeming(input, code), ...(copies === undefined ? {} : { copies }) },
      note,
      expect: [claim('status', 'present')],
      hasEffect: true,
    }),
  );
  const [first, ...further] = sends;
  if (!first) return undefined;
  const looks = effectClaims(shown, most).map((each): VisitedStep => ({ http: { url: shown.url }, ...each }));
  const all = [page, first, ...further.flatMap((each) => (opening ? [page, each] : [each])), ...looks];
  return withCookies(context, all);
}

/** The requests as steps, each with the cookies that those before it were given. */
async function withCookies(context: CheckContext, requests: readonly VisitedStep[]): Promise<Step[] | undefined> {
  const visitor = newVisitor(context);
  const { http } = contextAs(context, visitor, context.surface);
  const values = newTrialValues(context.nonce);
  const names: string[] = [];
  const steps: Step[] = [];
  for (const request of requests) {
    const cookies = names.map((name, index) => `${name}=‹visit${index + 1}›`).join('; ');
    const headers = [...(request.http.headers ?? []), ...(cookies === '' ? [] : [['Cookie', cookies] as const])];
    const filled = filledHttp(request.http, values);
    const answer = filled.lasting
      ? await storeAsVisitor(context, visitor.jar, filled)
      : await http.get(filled.url, { fresh: true });
    if (!answer || answer.status >= 500) return undefined;
    // Of several answers at once nobody knows which one comes last.
    const given = request.http.copies === undefined ? answer : undefined;
    for (const rule of request.capture ?? []) {
      const value = capturedFrom(answer, fillCapture(rule, values));
      if (value === undefined) return undefined;
      values.set(rule.name, value);
    }
    const set = given ? cookiesOf(given).map(({ rule }) => rule) : [];
    for (const { subject } of set) if (!names.includes(nameIn(subject))) names.push(nameIn(subject));
    const rules = set.map((rule) => ({ ...rule, name: `visit${names.indexOf(nameIn(rule.subject)) + 1}` }));
    const capture = [...(request.capture ?? []), ...rules];
    steps.push({ ...request, http: { ...request.http, headers }, ...(capture.length > 0 ? { capture } : {}) });
  }
  return steps;
}

const nameIn = (subject: string): string => subject.replace(/^cookie:/, '');

function filledHttp(http: HttpAction, values: TrialValues): HttpAction {
  const filled = fillAction({ http }, values);
  return 'http' in filled ? filled.http : http;
}
