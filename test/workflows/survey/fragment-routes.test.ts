import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kindOfFragment } from '../../../workflows/survey/fragment-routes.ts';

const test = suite('routes behind "#"');

test('pages of one route are of one kind, with one set of parameters', () => {
  assert.is(kindOfFragment('/items/7'), kindOfFragment('!/items/12'));
  assert.is(kindOfFragment('/find?words=oak&page=1'), kindOfFragment('/find?page=2&words=elm'));
  assert.is.not(kindOfFragment('/find'), kindOfFragment('/find?words=oak'));
  assert.is.not(kindOfFragment('/find'), kindOfFragment('/items'));
});

test.run();
