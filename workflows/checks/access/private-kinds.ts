/**
 * Kinds of objects that belong to one account wherever they are: who is shown them by a list of their own owns them. Pages, products,
 * events, courses and the like are in such lists too (what one has read, bookmarked or joined), and are everybody's.
 */
export const listedKinds =
  /(?:^|[^a-z])(?:orders?|purchases?|invoices?|bills?|billing|receipts?|payments?|transactions?|transfers?|statements?|pay-?slips?|salar(?:y|ies)|messages?|mails?|inbox|outbox|conversations?|chats?|notes?|memos?|diar(?:y|ies)|journals?|drafts?|letters?|tickets?|cases?|claims?|quotes?|bookings?|reservations?|appointments?|prescriptions?|diagnos[ei]s|results?|exams?|grades?|records?|wallets?|cards?|address(?:es)?|contracts?|polic(?:y|ies)|loans?|applications?|submissions?|deliver(?:y|ies)|shipments?|parcels?|carts?|baskets?|subscriptions?|expenses?|refunds?|returns|passwords?|secrets?|vaults?|credentials?|api-?keys?|tokens?|devices?|vehicles?|meters?|accounts?|todos?)(?:$|[^a-z])/i;
