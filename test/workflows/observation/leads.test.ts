import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLeads } from '../../../workflows/observation/leads.ts';
import type { Submission } from '../../../workflows/observation/submission.ts';
import { makeExchange } from '../../../workflows/probe/http/exchange.ts';

const test = suite('what forms lead to');

const answer = (body: string) =>
  makeExchange({
    request: { method: 'POST', url: 'http://site.example/send', headers: [], body: '' },
    ...{ status: 200, httpVersion: '1.1', headers: [['content-type', 'text/html']], truncated: false },
    ...{ body: Buffer.from(body), remoteAddress: '192.0.2.1', elapsedMs: 1, redirects: [] },
  });
const submission = { words: ['q3f8s0d9xk'] } as unknown as Submission;
const form = (index: number) => `<form method="post" action="/step-${index}"><input name="f${index}"></form>`;
const many = Array.from({ length: 45 }, (_, index) => index);

test('pages and forms beyond the bounds are counted, each once', () => {
  const leads = createLeads({ pages: [], skipped: [], forms: [], calls: [] });
  const page = answer(many.map((index) => `<a href="/page?q${index}=a">x</a>${form(index)}`).join(''));
  leads.answered(submission, page);
  leads.answered(submission, page);
  const { urls, forms, left } = leads.take();
  assert.equal([urls.length, forms.length, left], [40, 40, 10]);
  assert.equal(leads.take(), { urls: [], forms: [], again: [], cookies: [], left: 0 });
});

test('a form that repeats what was sent in its address leads nowhere', () => {
  const leads = createLeads({ pages: [], skipped: [], forms: [], calls: [] });
  leads.answered(submission, answer('<form action="/find?q=q3f8s0d9xk"><input name="q"></form>'));
  assert.equal(leads.take().forms, []);
});

test.run();
