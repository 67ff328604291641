import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLookalikes } from '../../../workflows/observation/lookalikes.ts';
import { keysOfForm } from '../../../workflows/probe/gate/form-key.ts';

const origin = 'http://shop.example';
const sent = (path: string, page: string, ...names: string[]) => {
  const fields = names.map((name) => ({ name, type: 'text', value: '', required: false }));
  const url = `${origin}${path}`;
  return { url, pageUrl: `${origin}${page}`, key: keysOfForm({ method: 'POST', action: url, fields }).key };
};

const lookalikes = suite('forms that are one form on many pages');

lookalikes('are alike where a name in their path alone differs', () => {
  const known = createLookalikes([]);
  known.note(sent('/catalogue/hammer-7_8/reviews/add/', '/catalogue/hammer-7_8/', 'title', 'body'));
  assert.ok(known.has(sent('/catalogue/hinge-8_9/reviews/add/', '/catalogue/hinge-8_9/', 'title', 'body')));
  assert.not(known.has(sent('/catalogue/hinge-8_9/reviews/add/', '/catalogue/hinge-8_9/', 'title')), 'other fields');
  assert.not(known.has(sent('/catalogue/hinge-8_9/reviews/vote/', '/catalogue/hinge-8_9/', 'title', 'body')), 'an act');
  assert.not(known.has(sent('/wishes/hinge/notes/add/', '/wishes/', 'title', 'body')), 'two names');
});

lookalikes('are alike where each page takes its own, and in the last name only then', () => {
  const known = createLookalikes([]);
  known.note(sent('/blog/about-hinges', '/blog/about-hinges', 'comment'));
  assert.ok(known.has(sent('/blog/about-locks', '/blog/about-locks', 'comment')));
  assert.not(known.has(sent('/blog/search', '/blog', 'comment')));
  known.note(sent('/feedback', '/feedback', 'text'));
  assert.not(known.has(sent('/find', '/find', 'text')), 'a form of the site is not named after an object');
});

lookalikes('are alike at any depth where they have many fields, as those that add a page below each page', () => {
  const known = createLookalikes([]);
  const add = (path: string, ...fields: string[]) => sent(path, path, ...fields);
  known.note(add('/_create/', 'title', 'slug', 'content'));
  assert.ok(known.has(add('/handbook/_create/', 'title', 'slug', 'content')));
  assert.ok(known.has(add('/handbook/part-one/mine/_create/', 'title', 'slug', 'content')));
  assert.not(known.has(add('/handbook/part-one/_edit/', 'title', 'slug', 'content')), 'another end');
  assert.not(known.has(add('/handbook/part-one/_create/', 'title', 'slug', 'image')), 'other fields');
});

lookalikes('are known by what other visitors have left', () => {
  const { key } = sent('/catalogue/hammer-7_8/reviews/add/', '/', 'title');
  assert.ok(createLookalikes([key]).has(sent('/catalogue/lock-9_10/reviews/add/', '/', 'title')));
});

lookalikes.run();
