/**
 * Kinds of objects that belong to one account wherever they are: who is shown them by a list of their own owns them. Pages, products,
 * events and courses are in such lists too (what one has read, bookmarked or joined), and are everybody's; tickets, cases, records and
 * cards of a team are listed by who works on them, and may be read by all.
 */
export const listedKinds =
  /(?:^|[^a-z])(?:orders?|purchases?|invoices?|bills?|billing|receipts?|payments?|transactions?|transfers?|statements?|pay-?slips?|salar(?:y|ies)|messages?|mails?|inbox|outbox|conversations?|chats?|notes?|memos?|diar(?:y|ies)|drafts?|letters?|claims?|bookings?|reservations?|appointments?|prescriptions?|diagnos[ei]s|grades?|wallets?|address(?:es)?|contracts?|loans?|deliver(?:y|ies)|shipments?|parcels?|carts?|baskets?|subscriptions?|expenses?|refunds?|passwords?|secrets?|vaults?|credentials?|api-?keys?|tokens?)(?:$|[^a-z])/i;
