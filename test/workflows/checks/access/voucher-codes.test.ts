import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codesIn } from '../../../../workflows/checks/access/voucher-codes.ts';

const test = suite('codes of vouchers that pages show');

for (const [html, ...codes] of [
  ['<p>Redeem WELCOME10 for your first order.</p>', 'WELCOME10'],
  ['<p>Register, and the code FRESHSTART gives you 5 credits.</p>', 'FRESHSTART'],
  ['<p>Your voucher code is: <b>SUMMER</b></p>', 'SUMMER'],
  ['<input name="code" placeholder="Code, such as HARVEST"><button>Redeem</button>', 'HARVEST'],
  ['<p>Type the code of your GIFT CARD here, by post or as PDF.</p>'],
  ['<h2>REDEEM YOUR CREDITS</h2><p>The code is in the letter from LONDON.</p>'],
] as const)
  test(`${html} has ${codes.join(', ') || 'none'}`, () => {
    assert.equal(codesIn(html), codes);
  });

test.run();
