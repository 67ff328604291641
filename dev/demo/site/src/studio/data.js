/** Reads an answer of the shop's API; undefined when it gives none. */
export async function readJson(path, token) {
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(path, { headers });
  return answer.ok ? answer.json() : undefined;
}

/** Where the finished piece goes, when somebody is logged in. */
export const readProfile = (token) => readJson('/api/me', token);

/** A token of who is logged in, kept for the next visit. */
export async function apiToken() {
  const given = await readJson('/api/token');
  if (given) localStorage.setItem('studio-token', given.token);
  return localStorage.getItem('studio-token');
}

/** GET /api/products and GET /api/woods */
export async function readRange() {
  const [products, woods] = await Promise.all([readJson('/api/products'), readJson('/api/woods')]);
  return { products: products.items, woods: woods.items };
}

/* only in development */
/** The invoice of an order, for the preview of the letterhead: GET /api/invoices/{orderId} */
export const readInvoice = (orderId) => readJson(`/api/invoices/${orderId}`);
/* end */
