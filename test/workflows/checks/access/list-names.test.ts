import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namesObject } from '../../../../workflows/checks/access/list-names.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';

const test = suite('access: lists that name an object');

const list = (text: string, contentType = 'text/html'): Exchange =>
  ({
    status: 200,
    text,
    headerValues: (name: string) => (name.toLowerCase() === 'content-type' ? [contentType] : []),
  }) as Exchange;
const json = (value: unknown): Exchange => list(JSON.stringify(value), 'application/json');

const naming: Record<string, [Exchange, string]> = {
  'a link': [list('<a href="/orders/7">Order</a>'), '7'],
  'a parameter of a link': [list('<a href="/order?id=7&amp;tab=1">Order</a>'), '7'],
  'an attribute with data': [list('<li data-order="7">Order</li>'), '7'],
  'a value of a choice': [list('<select><option value="7">Order</option></select>'), '7'],
  'an identifier in a text that is long enough to be unique': [list('<td>Order 20417</td>'), '20417'],
  'a member of an object': [json([{ id: 7, sum: 1 }]), '7'],
  'an address in data': [json({ self: '/orders/7' }), '7'],
  'a list of identifiers': [json([3, 7, 9]), '7'],
};
for (const [what, [exchange, identifier]] of Object.entries(naming))
  test(`${what} names it`, () => assert.ok(namesObject(exchange, identifier)));

const silent: Record<string, [Exchange, string]> = {
  'a number in the text of a user': [list('<p>CASE 1 WHEN 1 THEN</p><a href="/orders/12">Order</a>'), '1'],
  'a number in the value of a field': [list('<input name="n" value="1 of 3" maxlength="1">'), '1'],
  'an amount in data': [json([{ id: 12, amount: 1 }]), '1'],
  'a longer number': [list('<a href="/orders/17">Order</a>'), '7'],
};
for (const [what, [exchange, identifier]] of Object.entries(silent))
  test(`${what} names nothing`, () => assert.not(namesObject(exchange, identifier)));

test.run();
