import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { unlessUnsent } from '../accounts/unless-unsent.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { canLogIn, cookieHeader, type LoginIdentity } from '../sessions/own-sessions.ts';
import { byRole } from '../sessions/roles.ts';
import { type BasketRequest, basketRequests } from './basket-requests.ts';
import { hasTotal, negativeTotal, type ShownTotal, shownTotal, totalOf } from './basket-total.ts';
import { type BasketVisit, basketSteps, visitBasket } from './basket-visit.ts';
import { loweredPrice, withLoweredPrices, writings } from './lowered-price.ts';

type Payable =
  | { by: 'price'; visit: BasketVisit; input: InputSurface; lowered: string; total: string; shown: ShownTotal }
  | { by: 'cookie'; visit: BasketVisit; name: string; value: string; lowered: string; shown: ShownTotal }
  | { by: 'quantity'; visit: BasketVisit; input: InputSurface };

/** Things of a shop are put into its basket in one way as a rule. */
const maxRequests = 2;
/** Where an account keeps its basket, as many take away what a trial has put there. */
const [fewer, asManyMore] = ['-5', '5'] as const;

/** What is to be paid follows what the browser sends. Source: CWE-472, WSTG-BUSL-01, WSTG-BUSL-02. */
export const clientTrustedPrice = defineCheck<Payable>({
  id: 'access.client-trusted-price',
  title: 'Price manipulation: the basket takes prices or negative quantities from the browser',
  cwe: 472,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const user = byRole(context).users.find(canLogIn);
    const places = [undefined, user].flatMap((each, index) => {
      const surface = index === 0 ? context.surface : each && context.surfaces[each.name];
      return surface ? basketRequests(surface).map((request) => ({ request, user: each })) : [];
    });
    if (places.length === 0) return notApplicable('Nothing was seen that puts a thing into a shopping basket.');
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'it puts a thing into a basket of its own, which may stay: the scope of the domain has to say "writes": "create"',
      );
    const tried = likeliest(context, places, 2 * maxRequests, 'ways to put a thing into a basket');
    for (const { request, user: who } of tried) {
      const found = await payablesOf(context, request, who);
      if (found.length > 0) return found.map((data) => candidateFor(request, data));
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The site takes from the browser what a thing costs, from a hidden field, a request of its script or a cookie, or a quantity below zero, and works out with it what is to be paid.',
    impact:
      'Anybody buys at a price of their own, or lowers the sum by negative quantities. Where nobody checks each order, the goods are delivered.',
    sends:
      'Only with `writes: "create"`: puts one thing into a basket of a visit or session of its own, as the page does, then with a lower price or −5 and then 5 of it, and looks at the basket; what a cookie keeps is sent with a lower price. Nothing is ordered or paid.',
    proves:
      'The basket shows the lower total, or one below zero, twice; with the values of the page it does not. An attacker would order at that sum. That the order itself goes by it is not shown, since nothing is ordered.',
    remedy:
      'Keep in the basket what is bought and how many, and nothing else; read each price from your own data when the sum is shown, and once more when the order is made. Refuse quantities that are no whole numbers above zero, and let the database do the same: `CHECK (quantity > 0)`. What a cookie keeps is signed, or kept on the server.',
    references: [
      'CWE-472: https://cwe.mitre.org/data/definitions/472.html',
      'WSTG-BUSL-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/02-Test_Ability_to_Forge_Requests',
    ],
  },
});

/** The most severe way in which the basket trusts the browser: each try puts items into a basket, so that there are few tries. */
async function payablesOf(
  context: CheckContext,
  request: BasketRequest,
  user: LoginIdentity | undefined,
): Promise<Payable[]> {
  const { prices, quantities, plain } = request;
  const isShown = (text: string) =>
    hasTotal(text) || prices.some(({ sample }) => writings.some((write) => isTotal(text, write(sample))));
  const visit = await visitBasket(context, plain, plain.sample, user, isShown).catch(unlessUnsent);
  if (!visit) return [];
  const { text } = visit.shown;
  for (const input of prices) {
    const lowered = loweredPrice(input.sample);
    const write = writings.find((each) => isTotal(text, each(input.sample)));
    const [usual, total] = [write?.(input.sample), lowered && write?.(lowered)];
    const shown = usual && shownTotal(text, usual);
    if (!lowered || !total || !shown || firstMatch(totalOf(total, shown), text)) continue;
    // A basket that goes by its own prices is left with one thing more, and its quantities are tried.
    const follows = (other: string) => firstMatch(totalOf(total, shown), other) !== undefined;
    if (await visitBasket(context, input, lowered, user, follows).catch(unlessUnsent))
      return [{ by: 'price', visit, input, lowered, total, shown }];
  }
  for (const { name, value } of visit.values)
    for (const { from, to, value: changed } of withLoweredPrices(value)) {
      const shown = shownTotal(text, from);
      if (shown && !firstMatch(totalOf(to, shown), text))
        return [{ by: 'cookie', visit, name, value: changed, lowered: to, shown }];
    }
  const [input] = quantities;
  return input && hasTotal(text) && !firstMatch(negativeTotal, text) ? [{ by: 'quantity', visit, input }] : [];
}

const isTotal = (text: string, price: string | undefined): boolean =>
  price !== undefined && shownTotal(text, price) !== undefined;

const details: Record<Payable['by'], string> = {
  price: 'The basket takes the price from the request that puts a thing into it.',
  cookie: 'The basket takes the price from a cookie.',
  quantity: 'The basket takes a quantity below zero, and what is to be paid is below zero.',
};

function candidateFor({ url }: BasketRequest, data: Payable): Candidate<Payable> {
  const location =
    data.by === 'cookie'
      ? { url: data.visit.shown.url, method: 'GET', parameter: data.name, parameterIn: 'cookie' as const }
      : { url, method: 'POST', parameter: data.input.parameter, parameterIn: 'body' as const };
  return { location, route: normaliseRoute(location.url), detail: details[data.by], data };
}

function experimentFor(data: Payable): Experiment {
  if (data.by === 'cookie') return cookieExperiment(data);
  const { visit, input } = data;
  const [changed, pattern, what] =
    data.by === 'price'
      ? [data.lowered, totalOf(data.total, data.shown), 'a lower price']
      : [fewer, negativeTotal, 'a quantity below zero'];
  const expect = [claim('status', 'equals', '200'), claim('body', 'matches', pattern, 'What is to be paid.')];
  return {
    steps: basketSteps(visit, input, changed, 'changed', {
      notes: {
        put: `A thing is put into the basket with ${what} in the request.`,
        look: 'The basket shows what is to be paid: it follows the request.',
      },
      expect,
    }),
    control: basketSteps(visit, input, data.by === 'price' ? input.sample : asManyMore, 'plain', {
      notes: {
        put:
          data.by === 'price'
            ? 'The same in a visit of its own with the value that the page sends.'
            : 'The same in a visit of its own with a quantity above zero.',
        look: 'The basket does not show that sum.',
      },
      expect,
    }),
  };
}

/** What is in the basket comes with each request: nothing more is put into it. */
function cookieExperiment({ visit, name, value, lowered, shown }: Extract<Payable, { by: 'cookie' }>): Experiment {
  const { values, shown: page, user } = visit;
  const headerWith = (own: string) =>
    cookieHeader(values.map((each) => (each.name === name ? { name, value: own } : each)));
  const original = values.find((each) => each.name === name)?.value ?? '';
  const expect = [
    claim('status', 'equals', '200'),
    claim('body', 'matches', totalOf(lowered, shown), 'What is to be paid.'),
  ];
  const as = user ? { identity: user.name } : {};
  const look = (own: string, note: string) => ({
    http: { url: page.url, headers: [['Cookie', headerWith(own)]] as [string, string][] },
    ...as,
    note,
    expect,
  });
  return {
    steps: [look(value, 'The basket is asked for with a lower price in its cookie: what is to be paid follows it.')],
    control: [look(original, 'With the cookie as the site has given it that sum is not shown.')],
  };
}
