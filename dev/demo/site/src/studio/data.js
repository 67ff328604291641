/** Reads an answer of the shop's API; undefined when it gives none. */
export async function readJson(path) {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  return answer.ok ? answer.json() : undefined;
}

/** Where the finished piece goes, when somebody is logged in. */
export const readProfile = () => readJson('/api/me');

/** GET /api/products and GET /api/woods */
export async function readRange() {
  const [products, woods] = await Promise.all([readJson('/api/products'), readJson('/api/woods')]);
  return { products: products.items, woods: woods.items };
}

/* only in development */
/** The invoice of an order, for the preview of the letterhead: GET /api/invoices/{orderId} */
export const readInvoice = (orderId) => readJson(`/api/invoices/${orderId}`);
/* end */
