import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Explored } from '../../../workflows/model/browser.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';
import { scopeOf } from '../../../workflows/probe/scope.ts';
import { createFrontier } from '../../../workflows/survey/frontier.ts';
import { createTally } from '../../../workflows/survey/left-out.ts';
import { createScribe } from '../../../workflows/survey/scribe.ts';
import { answer, pageUrl } from '../../security/hostile-input/answer.ts';

const scribe = suite('what is read of a page');

scribe('is all of it on a machine that is so busy that the links take seconds', () => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  // This thread waits, as it does where others have the processors.
  const refusesNothing = () => void Atomics.wait(pause, 0, 0, 60);
  const scope = scopeOf(pageUrl);
  const frontier = createFrontier(scope, [], createTally(), () => undefined);
  const reader = createScribe({
    scope,
    frontier,
    gate: createGate({ depth: 'standard', writes: 'reversible' }),
    refusalOf: refusesNothing,
    explorer: { add: () => {} },
    documents: { add: () => {} },
  });
  const links = Array.from({ length: 20 }, (_, index) => `<a href="/goods/${index}">x</a>`);
  reader.read({ url: pageUrl, source: 'link' }, answer(links.join('')));
  assert.equal(reader.cut, []);
});

scribe('is no page of its own where a guessed address shows one that is known, with another token', () => {
  const scope = scopeOf(pageUrl);
  const reader = createScribe({
    scope,
    frontier: createFrontier(scope, [], createTally(), () => undefined),
    gate: createGate({ depth: 'standard', writes: 'reversible' }),
    refusalOf: () => undefined,
    explorer: { add: () => {} },
    documents: { add: () => {} },
  });
  const page = (token: string, text = 'Hello') =>
    answer(`<p>${text}</p><i data-t="${token}"></i><a href="a?b=1">x</a>`);
  const at = (path: string) => ({ url: new URL(path, pageUrl).href, source: 'guess' });
  assert.ok(reader.read({ url: pageUrl, source: 'link' }, page('8c5ff6e53d31')));
  assert.not(reader.read({ ...at('/v2/docs'), isGuess: true }, page('f1b9ab48a2e3')));
  assert.ok(reader.read({ ...at('/v3/docs'), isGuess: true }, page('f1b9ab48a2e4', 'Documents')));
  assert.ok(reader.read(at('/v4/docs'), page('f1b9ab48a2e5')), 'a link to it is followed');
  assert.is(reader.pages.length, 3);
});

scribe('is asked for again where a tab or a dialog of it is called like something that acts', () => {
  const scope = scopeOf(pageUrl);
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  const reader = createScribe({
    ...{ scope, gate, refusalOf: () => undefined },
    frontier: createFrontier(scope, [], createTally(), () => undefined),
    explorer: { add: () => {} },
    documents: { add: () => {} },
  });
  const at = (path: string) => ({ url: new URL(path, pageUrl).href, source: 'link' });
  const isAllowed = (path: string) => gate.decide({ method: 'GET', ...at(path), headers: [] }).allowed;
  reader.read(at('/berths/4?from=desk'), answer('<a href="#tab-2">Promote</a> <a href="#">Delete</a>'));
  assert.ok(isAllowed('/berths/4?from=desk'));
  reader.read(at('/boats/4?from=desk'), answer('<a href="/boats/4?from=desk">Delete</a>'));
  assert.not(isAllowed('/boats/4?from=desk'));
});

scribe('is asked for again where its only link is called like something that acts', () => {
  const scope = scopeOf(pageUrl);
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  const reader = createScribe({
    ...{ scope, gate, refusalOf: () => undefined },
    frontier: createFrontier(scope, [], createTally(), () => undefined),
    explorer: { add: () => {} },
    documents: { add: () => {} },
  });
  const at = (path: string) => ({ url: new URL(path, pageUrl).href, source: 'link' });
  const isAllowed = (path: string) => gate.decide({ method: 'GET', ...at(path), headers: [] }).allowed;
  reader.read(at('/'), answer('<a href="/">Order now</a> <a href="/all">Order all</a>'));
  assert.equal([isAllowed('/'), isAllowed('/all')], [true, false]);
});

scribe('leads where it led from the folder above, when a site shows it at every address', () => {
  const scope = scopeOf(pageUrl);
  const frontier = createFrontier(scope, [], createTally(), () => undefined);
  const reader = createScribe({
    ...{ scope, frontier, refusalOf: () => undefined },
    gate: createGate({ depth: 'standard', writes: 'reversible' }),
    explorer: { add: () => {} },
    documents: { add: () => {} },
  });
  const page = (token: string, more = '') =>
    answer(
      `<a href="tools/list?id=1">x</a><i data-t="${token}"></i>${more}<form action="find"><input name="q"></form>`,
    );
  const at = (path: string) => ({ url: new URL(path, pageUrl).href, source: 'link' });
  reader.read(at('/'), page('8c5ff6e53d31'));
  reader.read(at('/etc/passwd'), page('f1b9ab48a2e3'));
  reader.read(at('/shop/'), page('f1b9ab48a2e4', '<p>The shop</p>'));
  const sent = reader.forms().map(({ action }) => new URL(action).pathname);
  assert.equal(sent.sort(), ['/find', '/shop/find']);
  const paths = reader.inputs.all().map(({ url }) => new URL(url).pathname);
  assert.not(paths.includes('/etc/tools/list'));
  assert.ok(paths.includes('/shop/tools/list'));
});

scribe(
  'leaves time to others between the states of a page that was used, each of which may take a second',
  async () => {
    const scope = scopeOf(pageUrl);
    const reader = createScribe({
      ...{ scope, refusalOf: () => undefined },
      frontier: createFrontier(scope, [], createTally(), () => undefined),
      gate: createGate({ depth: 'standard', writes: 'reversible' }),
      explorer: { add: () => {} },
      documents: { add: () => {} },
    });
    const states = Array.from(
      { length: 10 },
      (_, index) => `<form method="post" action="/in/${'abcdefghij'[index]}"></form>`,
    );
    const explored: Explored = {
      ...{ status: 200, finalUrl: pageUrl, cookies: [], requests: [], states, routes: [], takenForms: [] },
      ...{ unused: 0, alike: 0, led: [], scripts: [], unreadSockets: [] },
      unread: { requests: 0, bodies: 0, calls: 0, alikeCalls: 0, parts: 0, states: 0 },
    };
    let isRead = false;
    const reading = reader.readExplored(explored, pageUrl).finally(() => {
      isRead = true;
    });
    let turns = 0;
    for (; !isRead; turns += 1) await turn();
    assert.ok(turns >= states.length - 1, `${turns}`);
    const { shapes, isMore } = await reading;
    assert.equal([shapes.length, isMore, reader.forms().length], [states.length, true, states.length]);
  },
);

scribe.run();
