import { claim, type Step } from '../../model/experiment.ts';
import type { CheckContext } from '../contract.ts';
import { createVisit, type VisitedStep } from '../sessions/visits.ts';
import { fillingSteps } from './code-places.ts';
import { redeeming, type SentCode } from './once-codes.ts';
import { effectClaims, type VoucherRequest } from './voucher-steps.ts';

/**
 * The same as `voucherSteps` for a visitor without an account, whose cookies are carried from step to step: it goes through the requests
 * once, to see which of the answers set cookies.
 * @returns undefined where a page has no token any more, or the site breaks
 * @throws ProofError, ProbeError
 */
export async function visitSteps(
  context: CheckContext,
  { input, filling, shown }: SentCode,
  most: number,
  requests: readonly VoucherRequest[],
): Promise<Step[] | undefined> {
  const { opening } = input;
  const fillings = filling ? fillingSteps(filling).flatMap((step) => ('http' in step ? [step] : [])) : [];
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
  const begin = fillings.length > 0 ? [...fillings, page] : [page];
  const all: VisitedStep[] = [
    ...begin,
    first,
    ...further.flatMap((each) => (opening ? [page, each] : [each])),
    ...looks,
  ];
  const visit = createVisit(context);
  for (const each of all) if (!(await visit.send(each))) return undefined;
  return visit.steps();
}
