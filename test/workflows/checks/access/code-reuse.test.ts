import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeReuse } from '../../../../workflows/checks/access/code-reuse.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { startVoucherShop, type VoucherDesign } from '../../../scorecard/sites/voucher-shop.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.code-reuse');

async function result(design: VoucherDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startVoucherShop(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, codeReuse as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [design, isUsual] of [
  [{ once: 'never' }, false],
  [{ once: 'as-written' }, true],
  [{ once: 'as-written', hasVisitors: true }, false],
  [{ once: 'never', hasToken: true }, false],
  [{ once: 'as-written', isApi: true }, false],
] as const)
  (isUsual ? test : further(test))(
    `a voucher that one account redeems twice is found, ${JSON.stringify(design)}`,
    async () => {
      const { outcome, findings, requests } = await result(design);
      assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
      assert.ok(requests < 80, String(requests));
    },
  );

for (const [once, isUsual] of [
  ['in-one', false],
  ['counted', true],
  ['looked', false],
] as const)
  (isUsual ? test : further(test))(`a shop that redeems it "${once}" is clean`, async () => {
    const { outcome, findings } = await result({ once });
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });

/** How a shop of visitors differs from one whose basket asks for a code as soon as there is something in it. */
type BasketDesign = { isOnce: boolean; isAskedAtOnce?: true };

/** @param isAskedAtOnce an empty basket asks for the code as well, the button says nothing but "Add", and codes are compared as written */
function basketShop({ isOnce, isAskedAtOnce }: BasketDesign): Handler {
  const baskets = new Map<string, { pieces: number; off: number; used: string[] }>();
  const redeemer = '<form method="post" action="/basket/coupon"><input name="coupon"><button>Apply</button></form>';
  const add = isAskedAtOnce
    ? '<form method="post" action="/add"><input type="hidden" name="id" value="7"><button>Add</button></form>'
    : '<form method="post" action="/basket/add"><input type="hidden" name="id" value="7"><input type="number" name="pieces" value="1"><button>Add to basket</button></form>';
  return ({ method, path, body, cookies }) => {
    const id = baskets.has(cookies.sid ?? '') ? String(cookies.sid) : randomBytes(16).toString('hex');
    const basket = baskets.get(id) ?? { pieces: 0, off: 0, used: [] };
    baskets.set(id, basket);
    const headers = { 'set-cookie': `sid=${id}; Path=/` };
    const shown = (page: string) => ({ ...html(page), headers: { ...html('').headers, ...headers } });
    const sent = new URLSearchParams(body);
    if (path === '/') return shown(`<p>Code <b>SPRING4</b> takes 4.00 off.</p><a href="/basket">Basket</a>${add}`);
    if (path === '/basket' && basket.pieces === 0)
      return shown(`<h1>Basket</h1><p>It is empty.</p>${isAskedAtOnce ? redeemer : ''}`);
    if (path === '/basket')
      return shown(`<h1>Basket</h1><p>Total: <b>${(basket.pieces * 12 - basket.off).toFixed(2)}</b></p>${redeemer}`);
    if (method !== 'POST') return undefined;
    const code = sent.get('coupon') ?? '';
    const isUsed = isOnce ? basket.off > 0 : isAskedAtOnce && basket.used.includes(code);
    if (path.endsWith('/add')) basket.pieces += Number(sent.get('pieces') ?? 1);
    else if (path === '/basket/coupon' && code.toUpperCase() === 'SPRING4' && basket.pieces > 0 && !isUsed) {
      basket.off += 4;
      basket.used.push(code);
    }
    return redirect('/basket', 303, headers);
  };
}

for (const [where, design] of [
  ['that a filled basket asks for', {}],
  ['that an empty basket takes and gives nothing for', { isAskedAtOnce: true }],
] as const)
  test(`a voucher ${where} is redeemed twice, and one that counts once is clean`, async () => {
    const outcomes = [];
    for (const isOnce of [false, true]) {
      const site = await startSite(basketShop({ isOnce, ...design }));
      const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
      try {
        const { outcome, findings } = await check(audit, codeReuse as Check);
        outcomes.push([outcome.kind, findings.length]);
      } finally {
        await audit.close();
        await site.close();
      }
    }
    assert.equal(outcomes, [
      ['found', 1],
      ['clean', 0],
    ]);
  });

test('a voucher is found on the last of the pages of a shop', async () => {
  const shop = basketShop({ isOnce: false });
  const words = ['oak', 'elm', 'ash', 'fir', 'yew', 'box', 'bay', 'fig', 'hop', 'ivy', 'nut', 'rye', 'tea', 'vine'];
  const links = words.map((word) => `<a href="/${word}">${word}</a>`).join(' ');
  const site = await startSite((request) => {
    const answer = shop(request);
    const { path } = request;
    if (path === '/' && answer) return { ...answer, body: String(answer.body).replace(/<p>.*?<\/p>/, links) };
    const word = words.find((each) => path === `/${each}`);
    if (word === undefined) return answer;
    return html(word === 'vine' ? '<p>Code <b>SPRING4</b> takes 4.00 off.</p>' : `<p>About ${word}</p>`);
  });
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  try {
    const { outcome, findings } = await check(audit, codeReuse as Check);
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a site with accounts that takes no vouchers lacks nothing', async () => {
  const register =
    '<form method="post" action="/register"><input name="username"><input type="password" name="password"><input type="password" name="password_again"><button>Create account</button></form>';
  const site = await startSite(({ path }) =>
    path === '/' ? html('<a href="/register">Register</a>') : path === '/register' ? html(register) : undefined,
  );
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  try {
    const { outcome } = await check(audit, codeReuse as Check);
    assert.equal([outcome.kind, outcome.reason], ['not-applicable', 'Nothing takes the code of a voucher.']);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('nothing is redeemed where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ once: 'never' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
