import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAnchors, rootAnchors } from '../../../../../workflows/probe/dns/dnssec/anchors.ts';
import { isVouchedFor } from '../../../../../workflows/probe/dns/dnssec/keys.ts';
import { keyOf } from '../../../../../workflows/probe/dns/dnssec/records.ts';

const test = suite('trust anchors');

/** The root's key of 2017. Source: https://data.iana.org/root-anchors/root-anchors.xml */
const root2017 =
  'AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=';

test('that of the root fits its published key', () => {
  const { zone, signers } = parseAnchors(rootAnchors);
  assert.equal([zone, signers.map(({ keyTag }) => keyTag)], [[], [20326, 38696]]);
  const key = keyOf(Buffer.concat([Buffer.from([1, 1, 3, 8]), Buffer.from(root2017, 'base64')]));
  assert.is(key?.tag, 20326);
  assert.ok(key && signers.some((signer) => isVouchedFor([], key, signer)));
});

test('what cannot be read is quoted', () => {
  assert.throws(() => parseAnchors(['. 1 8']), /"\. 1 8": use "zone key-tag algorithm digest-type digest"/);
  assert.throws(() => parseAnchors(['. 1 8 2 AB', 'shop. 1 8 2 AB']), /of one zone/);
  assert.throws(() => parseAnchors([]), /of one zone/);
});

test.run();
