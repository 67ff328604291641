import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesInCode } from '../../../../workflows/survey/addresses/code.ts';

const test = suite('routes of a table in code');

test('are read with those around them, whatever stands between', () => {
  const { routes, madeRoutes } = addressesInCode(`
    const t = make([{ path: "/", element: f(g, { a: 1 }), children: [
      { index: !0, element: f(h) },
      { path: "stores", children: [{ index: !0, element: f(k) }, { path: ":id", element: f(k) }] },
      { path: "staff/rota", element: f(k, { children: "x" }) },
      { element: f(m), children: [{ path: "tools", lazy: () => import("./t.js") }] },
    ] }]);`);
  assert.equal(routes.toSorted(), ['/staff/rota', '/stores', '/tools']);
  assert.equal(madeRoutes, ['/stores/1']);
});

test('have values that a pattern stands behind, but none that takes anything', () => {
  const { madeRoutes, routes } = addressesInCode(
    'const r=t({history:h("/"),routes:[{path:"/rooms/:id(\\\\d+)",name:"room",component:x,props:!0},' +
      '{path:"/:rest(.*)*",component:y},{path:"/gone/:rest(.*)",component:y}]});',
  );
  assert.equal(madeRoutes, ['/rooms/1']);
  assert.equal(routes, []);
});

test('keep a path that begins with "/" as it is', () => {
  const { routes } = addressesInCode(
    `[{ path: '/plan', component: A, children: [{ path: 'site', component: B }, { path: '/other', component: C }] }]`,
  );
  assert.ok(routes.includes('/plan/site'));
  assert.not(routes.some((route) => route.includes('/plan/other')));
});

test('are none where an object has a path and nothing else that routes have', () => {
  const { routes, madeRoutes } = addressesInCode(
    `set({ path: 'orders', secure: true }); icon({ path: 'M10 2h4' }); f({ children: 'x' })`,
  );
  assert.equal([...routes, ...madeRoutes], []);
});

test('end with code that is cut, and with brackets without end', () => {
  assert.equal(addressesInCode(`[{ path: 'a', element: x }, { path: 'b', element: `).routes, ['/a', '/b']);
  assert.equal(addressesInCode('[{'.repeat(50_000)).routes, []);
});

test.run();
