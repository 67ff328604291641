import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { omissionsText } from '../../../core/coverage/omissions.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';

const test = suite('words for what was left out');

test('one check without an identity of the role that it takes does not deny the identities that were given', () => {
  const text = omissionsText([{ code: OmissionCode.IDENTITIES_MISSING, count: 1 }]);
  assert.is(text, 'the site has a login, and one check or part of the audit lacks the test identities that it needs');
});

test('several checks are counted', () => {
  const lacking = { code: OmissionCode.IDENTITIES_MISSING, count: 1 };
  assert.match(omissionsText([lacking, lacking]), /that 2 checks or parts of the audit need are missing$/);
});

test.run();
