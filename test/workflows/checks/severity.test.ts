import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCvss, severityOf } from '../../../workflows/checks/severity.ts';

const severity = suite('severity');

// Scores of FIRST's own examples, https://www.first.org/cvss/v3-1/examples
for (const [vector, score, word] of [
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'critical'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5, 'high'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1, 'low'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'info'],
] as const) {
  severity(`${vector} scores ${score}, which is ${word}`, () => {
    const cvss = parseCvss(vector);
    assert.is(cvss.score, score);
    assert.is(severityOf(cvss.score), word);
  });
}

for (const vector of [
  '',
  'AV:N/AC:L',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
])
  severity(`${JSON.stringify(vector)} is refused`, () => {
    assert.throws(() => parseCvss(vector), /not a CVSS 3\.1 base vector/);
  });

severity('the limits between the words are those of the specification', () => {
  assert.equal([3.9, 4, 6.9, 7, 8.9, 9].map(severityOf), ['low', 'medium', 'medium', 'high', 'high', 'critical']);
});

severity.run();
