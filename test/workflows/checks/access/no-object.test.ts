import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beyondNames } from '../../../../workflows/checks/access/no-object.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';
import type { Identity } from '../../../../workflows/model/identity.ts';

const test = suite('texts that say more than whose an object is');

const [ann, bob] = ['ann731@oak.example', 'bob512@oak.example'];
const side = (userName: string, body: string) => ({
  identity: { userName } as Identity,
  pages: [{ text: `<p>${body}</p>`, header: () => 'text/html' } as Partial<Exchange> as Exchange],
});
/** What is left of a text of the object of Ann, where the reader has the same about themselves. */
const left = (before: string, ownersName = ann) =>
  beyondNames([`${before} ${ann}`], side(ownersName, 'Desk'), side(bob, `${before} ${bob}`));

test('where nothing else is said, the mail address by which its owner logs in is', () => {
  assert.equal(left('Set-up fee for'), [ann]);
  assert.equal(left('Set-up fee for', 'ann731'), ['Set-up fee for ann731@oak.example']);
});

test('the address of who wrote something is not, and so is a mere name', () => {
  assert.equal(left('Written by'), []);
  assert.equal(beyondNames(['Dear ann731'], side('ann731', 'Desk'), side('bob512', 'Dear bob512')), []);
});

test.run();
