import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientTrustedPrice } from '../../../../workflows/checks/access/client-trusted-price.check.ts';
import { loweredPrice, pricePattern, withLoweredPrices } from '../../../../workflows/checks/access/lowered-price.ts';
import { firstMatch } from '../../../../workflows/proof/pattern.ts';
import { type BasketDesign, basketShop } from '../../../fixtures/basket-shop.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, testBrowsers } from '../harness.ts';

const test = suite('access.client-trusted-price');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function audited(design: BasketDesign, writes: 'create' | 'reversible' = 'create') {
  const shop = await startSite(basketShop(design));
  const audit = await openAudit(shop.url, { depth: 'deep', writes });
  try {
    const { findings, outcome } = await check(audit, clientTrustedPrice);
    const sent = shop.requests.filter((each) => each.startsWith('POST /basket/lines')).length;
    return { findings, outcome, sent, lasting: audit.lasting };
  } finally {
    await audit.close();
    await shop.close();
  }
}

further(test)(
  'a hidden price is reported where the basket goes by it, and each thing that was put there is in the ledger',
  async () => {
    const { findings, sent, lasting } = await audited({ by: 'form', trustsPrice: true });
    assert.is(findings.length, 1);
    assert.is(findings[0]?.location?.parameter, 'price');
    assert.is(lasting.length, sent);
    assert.ok(sent <= 6, `${sent} things were put into baskets`);
    assert.ok(lasting.every(({ description }) => /nothing was ordered/.test(description)));
  },
);

/** The price is sent in cents, under a name that says nothing of prices. */
function bakery(trustsPrice: boolean) {
  const baskets: number[] = [];
  return startSite(({ method, path, cookies, body }) => {
    const hidden = '<input type="hidden" name="item" value="rye"><input type="hidden" name="each" value="540">';
    const button = '<input type="number" name="pieces" value="1"><button>Put in basket</button>';
    if (path === '/') return html(`<h1>Loaves</h1><form method="post" action="/basket">${hidden}${button}</form>`);
    if (path !== '/basket') return undefined;
    if (method === 'POST') {
      const sent = new URLSearchParams(body);
      baskets.push((trustsPrice ? Number(sent.get('each')) : 540) * Math.max(1, Number(sent.get('pieces'))));
      const visit = `visit=${baskets.length - 1}; Path=/; HttpOnly`;
      return { status: 303, headers: { location: '/basket', 'set-cookie': visit } };
    }
    const sum = baskets[Number(cookies.visit ?? -1)] ?? 0;
    return html(`<h1>Basket</h1><p>Total: <b>${(sum / 100).toFixed(2)} EUR</b></p>`);
  });
}

test('a price in cents under any name is reported where the basket goes by it alone', async () => {
  for (const [trustsPrice, expected] of [
    [true, ['each']],
    [false, []],
  ] as const) {
    const shop = await bakery(trustsPrice);
    const audit = await openAudit(shop.url, { depth: 'deep', writes: 'create' });
    const { findings } = await check(audit, clientTrustedPrice);
    assert.equal(
      findings.map(({ location }) => location?.parameter),
      expected,
    );
    await audit.close();
    await shop.close();
  }
});

test('a cookie that keeps the basket with its prices is reported, and one thing is put there for it', async () => {
  const { findings, sent } = await audited({ by: 'cookie', trustsPrice: true });
  assert.is(findings[0]?.location?.parameter, 'basket');
  assert.is(findings[0]?.location?.parameterIn, 'cookie');
  assert.is(sent, 1);
});

further(test)('a quantity below zero is reported where the sum falls below zero', async () => {
  const { findings } = await audited({ by: 'form', takesNegative: true });
  assert.is(findings[0]?.location?.parameter, 'quantity');
});

further(test)(
  'a shop that works the sum out by itself is not reported, also where its row repeats what was sent',
  async () => {
    for (const design of [{ by: 'form' }, { by: 'cookie' }, { by: 'form', showsSent: true }] as const)
      assert.equal((await audited(design)).findings, [], JSON.stringify(design));
  },
);

/** Its script draws the shop, and shows the basket by what it reads of the visitor. */
function drawnShop(takesFewer: boolean) {
  const baskets: number[] = [];
  const script = `const call = async (method, url, sent) => (await fetch(url, { method, ...(sent && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }) })).json();
    const show = async () => { const { total } = await call('GET', '/api/visitor'); shown.textContent = 'total ' + total + ' EUR'; };
    add.onclick = async () => { await call('POST', '/api/basket', { item: 'rye', qty: 1 }); show(); }; show();`;
  return startSite(({ method, path, cookies, body }) => {
    if (path === '/')
      return html(`<h1>Loaves</h1><p id=shown></p><button id=add>Add to basket</button><script>${script}</script>`);
    const count = baskets[Number(cookies.visit ?? -1)] ?? 0;
    if (path === '/api/visitor') return json({ visits: baskets.length, total: count * 5.4 });
    if (path !== '/api/basket' || method !== 'POST') return undefined;
    const { qty } = JSON.parse(body);
    if (!Number.isInteger(qty) || (qty < 1 && !takesFewer)) return json({ error: 'how many?' }, 422);
    baskets.push(qty);
    return json({ added: true }, 200, { 'set-cookie': `visit=${baskets.length - 1}; Path=/; HttpOnly` });
  });
}

test('a basket that script reads of the visitor is looked at, and its page’s script is none', async () => {
  for (const [takesFewer, expected] of [
    [true, ['qty']],
    [false, []],
  ] as const) {
    const shop = await drawnShop(takesFewer);
    const audit = await openAudit(shop.url, { browsers, depth: 'deep', writes: 'create' });
    const { findings, outcome } = await check(audit, clientTrustedPrice);
    await audit.close();
    await shop.close();
    assert.equal(
      findings.map(({ location }) => location?.parameter),
      expected,
      outcome.reason,
    );
  }
});

/** The basket is kept with the account, whatever session it has. */
function membersShop(takesFewer: boolean) {
  let count = 0;
  const form =
    '<form method="post"><input name="name"><input type="password" name="password"><button>Log in</button></form>';
  return startSite(({ method, path, cookies, body }) => {
    const sent = new URLSearchParams(body);
    const to = (location: string, headers = {}) => ({ status: 303, headers: { location, ...headers } });
    if (path === '/login')
      return method === 'POST' && sent.get('password') === 'v7-Boje-44'
        ? to('/', { 'set-cookie': 'member=ina; Path=/; HttpOnly' })
        : html(form);
    if (cookies.member !== 'ina') return path === '/' ? html('<a href="/login">Log in</a>') : to('/login');
    if (path === '/')
      return html(
        `<p>Member ina</p><a href="/cart">Cart</a><form method="post" action="/cart/add"><input type="hidden" name="item" value="3"><input type="number" name="quantity" min="1" value="1"><button>Add to cart</button></form>`,
      );
    if (path === '/cart') return html(`<h1>Cart</h1><p>Total: ${count * 12} EUR</p>`);
    if (path !== '/cart/add' || method !== 'POST') return undefined;
    const quantity = Number(sent.get('quantity'));
    if (!Number.isInteger(quantity) || (quantity < 1 && !takesFewer)) return html('How many?', 400);
    count += quantity;
    return to('/cart');
  });
}

test('a basket that an account keeps from session to session is looked at', async () => {
  const login = { path: '/login', username: 'ina', password: 'v7-Boje-44' };
  for (const [takesFewer, expected] of [
    [true, ['quantity']],
    [false, []],
  ] as const) {
    const shop = await membersShop(takesFewer);
    const identities = [{ name: 'ina', checkPath: '/', marker: 'Member ina', login }];
    const audit = await openAudit(shop.url, { depth: 'deep', writes: 'create', identities });
    const { findings, outcome } = await check(audit, clientTrustedPrice);
    await audit.close();
    await shop.close();
    assert.equal(
      findings.map(({ location }) => location?.parameter),
      expected,
      outcome.reason,
    );
  }
});

test('nothing is put into a basket where the scope does not say so', async () => {
  const { outcome, sent } = await audited({ by: 'form', trustsPrice: true }, 'reversible');
  assert.match(outcome.reason ?? '', /"writes": "create"/);
  assert.is(sent, 0);
});

test('what buys at once, and a price that somebody types, is left alone', async () => {
  const forms = [
    '<form method="post" action="/order"><input type="hidden" name="id" value="7"><input type="hidden" name="price" value="38.50"><button>Buy now</button></form>',
    '<form method="post" action="/cart/checkout"><input type="hidden" name="id" value="7"><input type="hidden" name="price" value="38.50"><button>Go on</button></form>',
    '<form method="post" action="/basket/gift"><input type="hidden" name="id" value="7"><input name="price" value="10"><button>Give</button></form>',
  ];
  const site = await startSite(({ path }) => (path === '/' ? html(forms.join('')) : html('<p>Total: 38.50</p>')));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  const { outcome } = await check(audit, clientTrustedPrice);
  assert.is(outcome.kind, 'not-applicable');
  assert.equal(
    site.requests.filter((each) => each.startsWith('POST')),
    [],
  );
  await audit.close();
  await site.close();
});

test('a price is found as pages write it, and lowered as the site writes it', () => {
  const isIn = (price: string, text: string) => firstMatch(pricePattern(price), text) !== undefined;
  for (const text of ['1204.50 EUR', '1,204.50', '1.204,50 €', '1 204.5']) assert.ok(isIn('1204.5', text), text);
  assert.not(isIn('12.5', '12.51'));
  for (const [sample, form] of [
    ['38.50', /^\d{1,2}\.\d{2}$/],
    ['1290', /^\d{3,4}$/],
    ['7,99', /^\d,\d{2}$/],
    ['2', /^\d\.\d{2}$/],
  ] as const) {
    const lowered = loweredPrice(sample) ?? '';
    assert.match(lowered, form);
    assert.ok(Number(lowered.replace(',', '.')) < Number(sample.replace(',', '.')));
  }
  assert.is(loweredPrice('0'), undefined);
});

test('prices in cookies are changed in what they are wrapped in', () => {
  const basket = JSON.stringify([{ id: 7, price: 38.5 }]);
  const plain = withLoweredPrices(encodeURIComponent(basket));
  assert.is(plain.length, 1);
  assert.match(decodeURIComponent(plain[0]?.value ?? ''), /^\[\{"id":7,"price":\d+(?:\.\d+)?\}\]$/);
  const [wrapped] = withLoweredPrices(Buffer.from(basket).toString('base64'));
  assert.is(JSON.parse(Buffer.from(wrapped?.value ?? '', 'base64').toString())[0].price, Number(wrapped?.to));
  for (const other of ['', 'abcdefgh', '[1,2]', '{"price":{}}', '['.repeat(5_000)])
    assert.equal(withLoweredPrices(other), []);
});

test.run();
