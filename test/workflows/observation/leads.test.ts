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

const shown = (url: string, type: string, body: string) =>
  makeExchange({
    request: { method: 'GET', url, headers: [], body: '' },
    ...{ status: 200, httpVersion: '1.1', headers: [['content-type', type]], truncated: false },
    ...{ body: Buffer.from(body), remoteAddress: '192.0.2.1', elapsedMs: 1, redirects: [] },
  });

test('a page whose list has got a control that only script hears is used again, once', () => {
  const leads = createLeads({ pages: [], skipped: [], forms: [], calls: [] });
  const url = 'http://site.example/boats';
  const page = (list: string) => shown(url, 'text/html', `<ul>${list}</ul><button>Add</button>`);
  leads.read(url, page('<li>None yet'));
  leads.read(url, page('<li>One more'));
  assert.equal(leads.take().again, []);
  const counting = (count: number) => shown(`${url}/likes`, 'text/html', `<button>Liked ${count}</button>`);
  for (const count of [3, 4]) leads.read(`${url}/likes`, counting(count));
  assert.equal(leads.take().again, []);
  leads.read(url, page('<li>Gull <button class="show">Show</button>'));
  leads.read(url, page('<li>Gull <a href="#" class="away">Away</a>'));
  assert.equal(leads.take().again, [url]);
});

test('a page whose script is given the first entry of a list is used again', () => {
  const call = { method: 'GET', url: 'http://site.example/api/boats', pageUrl: 'http://site.example/boats' };
  const leads = createLeads({ pages: [], skipped: [], forms: [], calls: [call] });
  for (const list of ['[]', '[{"id":7}]'])
    leads.read(call.url, shown(call.url, 'application/json', `{"boats":${list}}`));
  assert.equal(leads.take().again, [call.pageUrl]);
});

test.run();
