import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange, HttpProbe } from '../../model/http.ts';

/**
 * Claims on the headers of a page that was looked at again, with a control for what is absent: a header that the same
 * answer does have is not taken for absent.
 * @param claimsOf undefined when the answer turns out to be in order
 * @returns undefined when there is nothing to claim
 */
export async function headerExperiment(
  http: HttpProbe,
  url: string,
  note: string,
  claimsOf: (exchange: Exchange) => Assertion[] | undefined,
): Promise<Experiment | undefined> {
  const exchange = await http.get(url, { fresh: true });
  const [shown] = exchange.headers;
  const claims = exchange.status === 200 ? claimsOf(exchange) : undefined;
  if (claims === undefined || shown === undefined) return undefined;
  return {
    steps: [{ http: { url }, note, expect: [claim('status', 'equals', '200'), ...claims] }],
    control: [
      {
        http: { url },
        note: 'A header that the same answer has is not taken for absent.',
        expect: [claim(`header:${shown[0].toLowerCase()}`, 'absent')],
      },
    ],
  };
}
