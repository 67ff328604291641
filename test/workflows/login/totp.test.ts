import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TotpAlgorithm } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { createCodes, totpAt } from '../../../workflows/login/totp.ts';

const codes = suite('one-time codes');

/** Seeds of RFC 6238, Appendix B (with erratum 2866: one of the digest's length each), in base32. */
const seeds = {
  [TotpAlgorithm.SHA1]: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  [TotpAlgorithm.SHA256]: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA====',
  [TotpAlgorithm.SHA512]:
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA=',
};
const { SHA1, SHA256, SHA512, UNSPECIFIED } = TotpAlgorithm;

for (const [seconds, sha1, sha256, sha512] of [
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
] as const)
  codes(`at ${seconds} s they are those of RFC 6238`, () => {
    const at = (algorithm: typeof SHA1 | typeof SHA256 | typeof SHA512) =>
      totpAt({ secret: seeds[algorithm], algorithm, digits: 8, periodSeconds: 30 }, seconds * 1000);
    assert.equal([at(SHA1), at(SHA256), at(SHA512)], [sha1, sha256, sha512]);
  });

codes('without settings they have six digits of SHA-1 and change each 30 seconds', () => {
  const settings = { secret: seeds[SHA1], algorithm: UNSPECIFIED, digits: 0, periodSeconds: 0 };
  assert.is(totpAt(settings, 59_000), '287082');
  assert.is(totpAt(settings, 30_000), totpAt(settings, 59_999));
  assert.is.not(totpAt(settings, 30_000), totpAt(settings, 60_000));
});

codes('a secret may be grouped and in lower case, and must be base32', () => {
  const settings = { algorithm: SHA1, digits: 8, periodSeconds: 30 };
  assert.is(totpAt({ ...settings, secret: 'gezd gnbv-gy3t qojq gezd gnbv gy3t qojq' }, 59_000), '94287082');
  assert.throws(() => totpAt({ ...settings, secret: 'not base32!' }, 0), /not base32/);
});

codes('another period gives another code', () => {
  const at = (periodSeconds: number) =>
    totpAt({ secret: seeds[SHA1], algorithm: SHA1, digits: 8, periodSeconds }, 118_000);
  assert.is(at(60), '94287082');
  assert.is.not(at(30), at(60));
});

codes('no code is given twice: the second asker waits for the next period', async () => {
  const settings = { secret: seeds[SHA1], algorithm: SHA1, digits: 6, periodSeconds: 1 };
  const { next } = createCodes(settings, new AbortController().signal);
  const startedAt = Math.floor(Date.now() / 1000);
  const [first, second, third] = [await next(), await next(), await next()];
  const passed = Math.floor(Date.now() / 1000) - startedAt;
  assert.ok(passed >= 2, `three periods, ${passed} s`);
  assert.is(new Set([first, second, third]).size, 3);
});

codes('waiting for a code ends with the scan', async () => {
  const stop = new AbortController();
  const { next } = createCodes({ secret: seeds[SHA1], algorithm: SHA1, digits: 6, periodSeconds: 300 }, stop.signal);
  await next();
  const waiting = next().then(
    () => 'a code',
    () => 'stopped',
  );
  stop.abort();
  assert.is(await waiting, 'stopped');
});

codes.run();
