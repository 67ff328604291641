import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CaptureRule, claim, type Subject } from '../../../workflows/model/experiment.ts';
import { shownEarly } from '../../../workflows/proof/shown-early.ts';
import { newTrialValues } from '../../../workflows/proof/template.ts';

const early = suite('what a browser has shown early');

const nonce = 'k3x9';
const values = () => newTrialValues(() => nonce);
const now = () => new Date(0);
const ran = claim('browser:dialogs', 'matches', '(?m)^‹nonce›$');
const capture = (subject: Subject, pattern = '^.+$'): CaptureRule => ({ name: 'taken', subject, pattern });

early('a dialog with the nonce is all that the step claims', () => {
  const isDone = shownEarly({ expect: [ran] }, values(), now);
  assert.is(isDone?.({ dialogs: [] }), false);
  assert.is(isDone?.({ dialogs: ['welcome'] }), false);
  assert.is(isDone?.({ dialogs: ['welcome', nonce] }), true);
});

early('what is to be captured has to be there as well', () => {
  const step = { expect: [claim('browser:dialogs', 'present')], capture: [capture('browser:dialogs', 'sid=(\\w+)')] };
  const isDone = shownEarly(step, values(), now);
  assert.is(isDone?.({ dialogs: ['welcome'] }), false);
  assert.is(isDone?.({ dialogs: ['welcome', 'theme=dark; sid=abc'] }), true);
});

early('the address is read when the visit has ended, whenever that is', () => {
  const isDone = shownEarly({ expect: [ran], capture: [capture('browser:url')] }, values(), now);
  assert.is(isDone?.({ dialogs: [nonce] }), true);
});

early('a claim about the page as it is in the end waits for that', () => {
  for (const claims of [
    [],
    [claim('browser:dialogs', 'absent')],
    [claim('browser:dialogs', 'not-contains', nonce)],
    [claim('browser:dialogs', 'equals', nonce)],
    [ran, claim('browser:html', 'contains', nonce)],
    // A page in a frame may leave it.
    [claim('browser:frames', 'matches', '^https://shop[.]test/')],
  ])
    assert.is(shownEarly({ expect: claims }, values(), now), undefined);
  assert.is(shownEarly({ expect: [ran], capture: [capture('browser:html')] }, values(), now), undefined);
});

early('a claim on what the same answer gives is left to the end', () => {
  const step = { expect: [claim('browser:dialogs', 'contains', '‹taken›')], capture: [capture('browser:dialogs')] };
  assert.is(shownEarly(step, values(), now)?.({ dialogs: ['anything'] }), false);
});

early.run();
