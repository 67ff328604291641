import { findOrder } from './orders.ts';
import type { Shop } from './shop.ts';
import type { DemoUser } from './users.ts';

type Invoice = {
  number: string;
  orderId: number;
  issuedOn: string;
  billedTo: { name: string; street: string; city: string };
  cents: number;
  taxCents: number;
};

/** Tax that is contained in a price. */
const taxRate = 0.2;

/** The invoice of an order, for the customer it belongs to and for staff. */
export function findInvoice({ weaknesses, database }: Shop, user: DemoUser, orderId: number): Invoice | undefined {
  const lookup = { ...weaknesses, ordersOfOthersReadable: weaknesses.invoicesOfOthersReadable };
  const order = findOrder(lookup, database, user, orderId);
  if (!order) return undefined;
  const cents = order.lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);
  return {
    number: `LH-${order.placedOn.slice(0, 4)}-${order.id}`,
    orderId: order.id,
    issuedOn: order.placedOn,
    billedTo: order.customer,
    cents,
    taxCents: Math.round(cents - cents / (1 + taxRate)),
  };
}
