import type { FormSurface } from '../../../../workflows/model/surface.ts';
import { answersWith, namesWhatWasMade } from '../../../../workflows/observation/direct-answer.ts';
import { changesBetween, shownIn } from '../../../../workflows/observation/shown.ts';
import { watchStored } from '../../../../workflows/observation/stored-watch.ts';
import { neutralForm } from '../../../../workflows/observation/submission.ts';
import { shapeOfRequest } from '../../../../workflows/probe/gate/form-key.ts';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';
import { graphQlOperations } from '../../../../workflows/probe/gate/graphql.ts';
import { refusedByControl } from '../../../../workflows/probe/gate/links.ts';
import { kindOfForm } from '../../../../workflows/probe/gate/structure.ts';
import { sentBodies } from '../../../../workflows/survey/sent-bodies.ts';
import { answer, pageUrl } from '../answer.ts';
import { hostilePages } from '../pages.ts';
import { counted, filled, KiB, MiB, type Row, row } from '../row.ts';
import { hostileJson } from '../texts.ts';

const newGate = () => createGate({ depth: 'deep', writes: 'create' });
const places = {
  path: 'http://shop.example/',
  query: 'http://shop.example/x?',
  command: 'http://shop.example/x?page=',
};
const maxUrlLength = 2_048;

/** What makes up an address or a label: beginnings of words that act, and what stands between them. */
const units = ['a', 'a/', 'a&', 'closesession', 'terminat', 'deleteAll', 'a-', '%41', 'aB', '/', 'a.', 'é', '削', '_1'];

/** A page of the survey has up to 2,000 links; twenty thousand is what a site has. */
const links = 2_000;

const addresses = Object.entries(places).flatMap(([where, start]) =>
  units.map((unit) =>
    row(
      `the longest address of ${JSON.stringify(unit)} as ${where}, a hundred times`,
      [],
      () => start + filled(unit, maxUrlLength - 100).slice(0, maxUrlLength - start.length),
      (url) => {
        const gate = newGate();
        for (let times = 0; times < 100; times += 1) {
          gate.noteLink(url);
          gate.decide({ method: 'GET', url, headers: [] });
        }
      },
      !['a/', 'a&', 'closesession', 'deleteAll'].includes(unit),
    ),
  ),
);

const labels = units.map((unit) =>
  row(
    `labels of ${JSON.stringify(unit)} on the links of a page`,
    [],
    () => filled(unit, 200),
    (text) => {
      for (let index = 0; index < links; index += 1)
        refusedByControl({ url: `http://shop.example/x?id=${index}`, text, hints: text, icons: text });
    },
    !['closesession', 'deleteAll'].includes(unit),
  ),
);

const form = (fields: FormSurface['fields'], more: Partial<FormSurface> = {}): FormSurface => ({
  ...{ pageUrl, action: 'http://shop.example/x', method: 'POST', enctype: 'multipart/form-data', fields },
  ...more,
});

const forms = units.map((unit) =>
  row(
    `a form with ${JSON.stringify(unit)} again and again in its fields`,
    [],
    () => filled(unit, MiB / 4),
    (text) =>
      kindOfForm(
        form([
          { name: text, type: 'text', value: '' },
          { name: 'submit', type: 'submit', value: text },
          { name: 'b', type: 'text', value: '', autocomplete: text },
        ]),
      ),
    !['a', 'closesession', 'deleteAll'].includes(unit),
  ),
);

const known: Row[] = [
  row(
    // The survey stops reading a page's links after half a second of the thread: see scribe.ts.
    'more links than are read of a page, in a gate',
    [],
    () =>
      Array.from(
        { length: 20_000 },
        (_, index) => `http://shop.example/shop/articles-of-a-kind/${index}?page=${index}`,
      ),
    (urls) => {
      const gate = newGate();
      for (const url of urls) {
        gate.noteLink(url);
        gate.decide({ method: 'GET', url, headers: [] });
      }
    },
  ),
  row(
    'forms that all send to one place',
    [],
    () =>
      Array.from({ length: 200 }, (_, index) =>
        form(
          Array.from({ length: 200 }, (_each, at) => ({ name: `f${index}_${at}`, type: 'text', value: '' })),
          { method: 'GET' },
        ),
      ),
    (all) => {
      const gate = newGate();
      gate.learn({ forms: all });
      for (let index = 0; index < 1_000; index += 1)
        gate.decide({ method: 'GET', url: `http://shop.example/x?f${index % 200}_1=1`, headers: [] });
    },
  ),
  ...Object.entries({
    JSON: ['application/json', `[${counted((index) => `{"m${index}":1},`, MiB)}{}]`],
    'a form': ['application/x-www-form-urlencoded', counted((index) => `f${index}=1&`, MiB / 4)],
    parts: ['multipart/form-data', filled('name="a"name="', MiB)],
  }).map(([what, [type = '', body = '']]) =>
    row(
      `the key of a request with ${what}`,
      ['workflows/probe/gate/form-key.ts'],
      () => body,
      (text) => shapeOfRequest({ method: 'POST', url: pageUrl, headers: [['Content-Type', type]], body: text }),
    ),
  ),
  ...['\\"', '"""', '#', '{'].map((unit) =>
    row(
      `a query of GraphQL of ${unit}`,
      ['workflows/probe/gate/graphql.ts'],
      () => JSON.stringify({ query: `{"${filled(unit, 16 * KiB)}` }),
      (body) => graphQlOperations({ method: 'POST', url: pageUrl, headers: [] }, body),
    ),
  ),
];

const submission = { url: pageUrl, body: '', words: ['q3f8s0d9xk'], takesLongText: false };
const observedPages: Record<string, () => string> = {
  ...hostilePages,
  'elements with text that are never closed': () => filled('<i>x', MiB / 2),
  'end tags of what is not open': () => filled('<i>', MiB / 4) + filled('</b>', MiB / 4),
  'a very long class': () => `<p class="${filled('a', MiB / 4)}">${filled('<i>x</i>', MiB / 4)}`,
};
const usualPages = new Set([
  'small elements',
  'elements with text that are never closed',
  'end tags of what is not open',
  'a very long class',
]);

/** What an observation reads of a page: before and after it has sent something. */
function observed(body: string, type: string) {
  const page = answer(body.slice(0, 512 * KiB), { type });
  answersWith(page, submission);
  namesWhatWasMade(page, submission);
  return changesBetween(shownIn(page).shown, shownIn(page).shown);
}

const observation: Row[] = [
  ...Object.entries(observedPages).map(([page, make]) =>
    row(
      `an observed page: ${page}`,
      ['workflows/observation/shown.ts'],
      make,
      (html) => observed(html, 'text/html'),
      !usualPages.has(page),
    ),
  ),
  ...Object.entries({
    ...hostileJson,
    'a very long name': () => `{"${filled('a', MiB / 4)}":[${filled('1,', MiB / 8)}1]}`,
  }).map(([what, make]) =>
    row(`observed JSON: ${what}`, ['workflows/observation/direct-answer.ts'], make, (text) =>
      observed(text, 'application/json'),
    ),
  ),
  row(
    'a page in which what was sent is looked for',
    [],
    () => filled('a1b2c3d4e5 a1b2c3d4e 0123456789', MiB),
    async (text) => {
      const send = async () => answer(text);
      const { http } = watchStored({ send, get: send, newJar: () => ({}) as never }, () => {});
      await http.send({ method: 'POST', url: pageUrl, body: text });
      await http.send({ url: pageUrl });
    },
  ),
  row(
    'a form that is filled in on a hostile page',
    [],
    () => filled('<form action=/x method=post><input name=a><textarea name=b></textarea></form>', 512 * KiB),
    (html) => neutralForm(form([{ name: 'z', type: 'text', value: '' }]), html, { word: 'q3f8s0d9xk', number: '71' }),
  ),
];

const browser = row(
  'requests with tokens that a page has sent in the browser',
  [],
  () => ({
    finalUrl: pageUrl,
    html: filled('<meta name=a content=b>', MiB),
    cookies: Array.from({ length: 180 }, (_, index) => ({ name: `c${index}`, value: filled(`${index}%41`, 4 * KiB) })),
    requests: Array.from({ length: 500 }, (_, index) => ({
      url: pageUrl,
      method: 'POST',
      headers: [['X-CSRF-Token', `t${index}`]],
      body: 'a=1',
    })),
  }),
  (visit) => sentBodies(visit as unknown as Parameters<typeof sentBodies>[0]),
);

/** What the write gate, the observation of forms and the browser's results go by. */
export const gateRows: Row[] = [...addresses, ...labels, ...forms, ...known, ...observation, browser];
