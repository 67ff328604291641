import { type Assertion, claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';

/** What an address says, piece by piece: its path, and each of its parameters as it is written. */
function piecesOf({ header, request }: Exchange): string[] {
  const target = URL.parse(header('location') ?? '', request.url);
  return target ? [target.pathname, ...target.search.slice(1).split('&')].filter((piece) => piece.length > 1) : [];
}

/**
 * Claims on where answers lead, for instance to "/login?error=password", where others lead to "/login?error=name".
 * @param sent what the requests held: an answer that repeats it says nothing
 */
export function ledApart(
  known: readonly Exchange[],
  unknown: readonly Exchange[],
  sent: readonly string[],
): { ifKnown: Assertion[]; ifUnknown: Assertion[] } | undefined {
  const leads = (exchange: Exchange, piece: string) => exchange.header('location')?.includes(piece) ?? false;
  const piece = (known[0] ? piecesOf(known[0]) : []).find(
    (each) =>
      known.every((exchange) => leads(exchange, each)) &&
      !unknown.some((exchange) => leads(exchange, each)) &&
      !sent.some((value) => value !== '' && each.includes(value)),
  );
  return piece === undefined
    ? undefined
    : {
        ifKnown: [claim('header:location', 'contains', piece)],
        ifUnknown: [claim('header:location', 'not-contains', piece)],
      };
}
