import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../dev/demo/demo.ts';
import { identities } from '../../../dev/demo/identities.ts';
import { Visitor } from './client.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-shop-'));

const twins = await Promise.all(
  [false, true].map(async (isPatched) => ({
    isPatched,
    demo: await startDemo({ folder, port: 0, patched: isPatched }),
  })),
);

for (const { isPatched, demo } of twins) {
  const shop = suite(isPatched ? 'the patched shop' : 'the shop as built');
  const file = join(folder, isPatched ? 'shop-patched' : 'shop', 'shop.db');
  const visitors: Visitor[] = [];
  const visitor = () => {
    const one = new Visitor(demo);
    visitors.push(one);
    return one;
  };
  const rows = (sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };

  shop('logs each of its people in, and greets them by name', async () => {
    for (const name of ['a', 'b', 'admin'] as const) {
      const person = visitor();
      assert.equal((await person.get('/account')).status, 303);
      const { status, headers } = await person.logIn(name);
      assert.equal([status, headers.location], [303, '/account']);
      const account = await person.get('/account');
      assert.is(account.status, 200);
      assert.match(account.text, identities[name].name);
    }
  });

  shop('refuses a wrong password and an unknown address in the same words', async () => {
    const wrong = await visitor().submit('/login', '/login', { email: identities.a.email, password: 'x' });
    const unknown = await visitor().submit('/login', '/login', { email: 'x@y.example', password: 'x' });
    assert.equal([wrong.status, unknown.status], [401, 401]);
    assert.match(wrong.text, 'is not right');
    assert.match(unknown.text, 'is not right');
  });

  shop('refuses a form without its token, and with the token of another session', async () => {
    const { email, password } = identities.a;
    assert.is((await visitor().post('/login', { email, password })).status, 403);
    const { text } = await visitor().get('/login');
    const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    assert.is((await visitor().post('/login', { email, password, form_token: token })).status, 403);
  });

  shop('goes on after log-in to pages of its own only', async () => {
    assert.is((await visitor().logIn('a', '/orders')).headers.location, '/orders');
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\nb'])
      assert.is((await visitor().logIn('a', next)).headers.location, '/account', next);
  });

  shop('leads to its partners and to its own pages', async () => {
    const to = async (target: string) => (await visitor().get(`/go?to=${encodeURIComponent(target)}`)).headers.location;
    assert.is(await to('https://nordvik-weavers.example/'), 'https://nordvik-weavers.example/');
    assert.is(await to('/about'), '/about');
    assert.is(await to('javascript:alert(1)'), undefined);
  });

  shop('shows the administration to staff only', async () => {
    const [anonymous, customer, staff] = [visitor(), visitor(), visitor()];
    await customer.logIn('a');
    await staff.logIn('admin');
    assert.is((await anonymous.get('/admin')).headers.location, '/login?next=%2Fadmin');
    assert.is((await customer.get('/admin')).status, 403);
    const page = await staff.get('/admin');
    assert.is(page.status, 200);
    assert.match(page.text, 'Ben Okafor');
  });

  shop('lists to a customer the own orders only', async () => {
    const anna = visitor();
    await anna.logIn('a');
    const listed = JSON.parse((await anna.get('/api/orders')).text).items;
    assert.equal(
      listed.map((order: { id: number }) => order.id),
      [1044, 1041],
    );
  });

  shop('logs out', async () => {
    const anna = visitor();
    await anna.logIn('a');
    assert.is((await anna.submit('/account', '/logout', {})).status, 303);
    assert.is((await anna.get('/account')).status, 303);
  });

  shop('gives a pass for partners, which reads the account and nothing else, and ends with the session', async () => {
    const anna = visitor();
    const line = (await anna.logIn('a')).setCookies.find((each) => each.startsWith('shop_partner=')) ?? '';
    const cookie = line.split(';')[0] ?? '';
    const asPartner = (path: string) => visitor().get(path, { cookie });
    assert.match((await asPartner('/api/me')).text, identities.a.email);
    assert.is((await asPartner('/api/orders')).status, 200);
    assert.equal([(await asPartner('/account')).status, (await asPartner('/api/orders/1041')).status], [303, 401]);
    assert.is((await asPartner('/admin')).status, (await visitor().get('/admin')).status);
    await anna.submit('/account', '/logout', {});
    assert.is((await asPartner('/api/me')).status, isPatched ? 401 : 200);
  });

  shop('lets pages of its partner read the account, and those of nobody else unless it trusts all', async () => {
    const allowed = async (origin: string) =>
      (await visitor().get('/api/me', { origin })).headers['access-control-allow-origin'];
    assert.is(await allowed('https://nordvik-weavers.example'), 'https://nordvik-weavers.example');
    const stranger = 'https://elsewhere.example';
    assert.is(await allowed(stranger), isPatched ? undefined : stranger);
  });

  shop('keeps a cart in the browser and a message in the database', async () => {
    const guest = visitor();
    await guest.submit('/products/oak-table', '/cart', { product: 'oak-table', quantity: '2' });
    assert.match((await guest.get('/cart')).text, '2,780.00');
    await guest.submit('/contact', '/contact', { email: 'guest@mail.example', message: 'Do you repair chairs?' });
    assert.equal(
      rows("SELECT text FROM messages WHERE email = 'guest@mail.example'").map((row) => ({ ...row })),
      [{ text: 'Do you repair chairs?' }],
    );
  });

  shop('saves an address, and refuses an empty one', async () => {
    const ben = visitor();
    await ben.logIn('b');
    assert.is((await ben.submit('/account', '/account', { street: '', city: 'Eastfield' })).status, 400);
    assert.is((await ben.submit('/account', '/account', { street: '8 Quay', city: 'Eastfield' })).status, 303);
    assert.match((await ben.get('/account')).text, '8 Quay');
    await ben.submit('/account', '/account', { street: identities.b.street, city: identities.b.city });
  });

  shop('changes a profile by its API, and back again', async () => {
    const ben = visitor();
    await ben.logIn('b');
    const { street, city } = identities.b;
    assert.is((await ben.put('/api/me', { street: '', city })).status, 400);
    assert.is(JSON.parse((await ben.put('/api/me', { street: '8 Quay', city })).text).street, '8 Quay');
    await ben.put('/api/me', { street, city });
    assert.is(JSON.parse((await ben.get('/api/me')).text).street, street);
    assert.is((await visitor().put('/api/me', { street, city })).status, 401);
  });

  shop('gives out an invoice to whom it belongs, and to staff', async () => {
    const [anna, staff, guest] = [visitor(), visitor(), visitor()];
    await anna.logIn('a');
    await staff.logIn('admin');
    for (const who of [anna, staff])
      assert.is(JSON.parse((await who.get('/api/invoices/1041')).text).number, 'LH-2026-1041');
    assert.is((await guest.get('/api/invoices/1041')).status, 401);
  });

  shop('shows its guides, and no file of the machine that it runs on', async () => {
    assert.match((await visitor().get('/care/guide?file=oiled-oak.txt')).text, 'along the grain');
    for (const path of [import.meta.filename, '/etc/hosts', '/proc/self/environ', '..%00', '.'])
      assert.is((await visitor().get(`/care/guide?file=${encodeURIComponent(path)}`)).status, 404, path);
  });

  shop('keeps its status, its API and the data of others from visitors without log-in', async () => {
    for (const path of ['/api/me', '/api/orders', '/api/orders/1041', '/api/admin/users', '/api/admin/orders'])
      assert.is((await visitor().get(path)).status, 401, path);
  });

  shop('answers what it cannot read with a page and its headers', async () => {
    const { status, headers } = await visitor().get('/%E0%A4%A');
    assert.is(status, 400);
    assert.match(String(headers['content-type']), 'text/html');
    assert.ok('content-security-policy' in headers);
  });

  shop('answers 404 to what is not there, and hides its sources', async () => {
    for (const path of [
      '/nothing',
      '/products/none',
      '/config/production.json',
      '/src/token.ts',
      '/config/%2e%2e/package.json',
      '/%2e%2e/shop.db',
      '/%00',
      '/assets/',
      '/src/studio/main.js',
      '/.env.production',
      '/.git/',
    ])
      assert.is((await visitor().get(path)).status, 404, path);
    assert.is((await visitor().get('/robots.txt')).status, 200);
  });

  shop('changes nothing in its database by GET', async () => {
    const anna = visitor();
    await anna.logIn('a');
    const before = await readFile(file);
    for (const path of [
      '/',
      '/catalogue?category=chairs',
      '/products/holm-chair',
      '/search?q=oak',
      '/cart',
      '/login',
      '/contact',
      '/about',
      '/account',
      '/orders',
      '/orders/1041',
      '/admin',
      '/studio',
      '/care',
      '/care/guide?file=oiled-oak.txt',
      '/downloads/',
      '/status',
      '/openapi.json',
      '/api/me',
      '/api/products',
      '/api/woods',
      '/api/token',
      '/api/invoices/1041',
      '/api/admin/users',
      "/search?q=oak'%2c1);DELETE FROM orders;--",
      "/catalogue?category=';DELETE FROM orders;--",
      '/go?to=/about',
      '/logout',
      '/nothing',
    ])
      for (const who of [anna, visitor()]) await who.get(path);
    assert.ok(before.equals(await readFile(file)));
  });

  shop.after(async () => {
    await Promise.all(visitors.map((one) => one.close()));
    await demo.close();
    if (isPatched) await rm(folder, { recursive: true });
  });
  shop.run();
}
