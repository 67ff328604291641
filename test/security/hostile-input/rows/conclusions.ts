import { graphQlLiterals } from '../../../../workflows/model/graphql-literals.ts';
import type { FormSurface, PageSurface, Surface } from '../../../../workflows/model/surface.ts';
import { xmlTexts } from '../../../../workflows/model/xml-texts.ts';
import { documentRequests, neutralDocument } from '../../../../workflows/observation/document-submission.ts';
import { chooseAddresses } from '../../../../workflows/permissions/addresses.ts';
import { smallestChains } from '../../../../workflows/planner/chains.ts';
import { emptyState, plan } from '../../../../workflows/planner/plan.ts';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';
import { filterFor } from '../../../../workflows/proof/reproduce/extract.ts';
import { bodyInputs } from '../../../../workflows/survey/body-inputs.ts';
import { queriesOf } from '../../../../workflows/survey/graphql-queries.ts';
import { createInputList } from '../../../../workflows/survey/inputs.ts';
import { pagesAround } from '../../../../workflows/survey/pages-around.ts';
import { pageUrl } from '../answer.ts';
import { counted, filled, KiB, MiB, type Row, row } from '../row.ts';

/** All its types are within each other, and have as many fields and arguments as an answer may have. */
const graphQlSchema = (): string => {
  const type = { kind: 'OBJECT', name: 'Query' };
  const input = { kind: 'INPUT_OBJECT', name: 'Input' };
  const args = Array.from({ length: 100 }, (_, index) => ({ name: `a${index}`, type: input }));
  const fields = Array.from({ length: 90 }, (_, index) => ({ name: `f${index}`, type, args }));
  const leaves = Array.from({ length: 9_000 }, (_, index) => ({ name: `g${index}`, type, args: [] }));
  const types = [
    { ...type, fields: [...fields, ...leaves] },
    { ...input, inputFields: args },
  ];
  return JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types } } });
};

const count = 1_000;
const facts = (kind: string, parentsOf: (index: number) => string[] = () => [], actionId = `gives-${kind}`) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `${kind}${index}`, kind, subject: `${kind} ${index}`, attributes: {}, actionId },
    parents: parentsOf(index),
  }));
const join = { id: 'join', needs: [{ kind: 'one' }, { kind: 'other' }], gives: ['both'], goal: 'both', cost: 1 };

const planner: Row[] = [
  row(
    'a thousand facts for each need of an action',
    [],
    () => [...facts('one'), ...facts('other')],
    (all) => plan([join], all, emptyState),
  ),
  row(
    'facts that were each shown in several ways',
    [],
    () => [
      ...facts('one'),
      ...[1, 2, 3].flatMap((step) =>
        facts('two', (index) => [`one${index}`, `one${(index + step) % count}`], `way-${step}`),
      ),
      ...facts('three', (index) => [`two${index}`, `two${(index + 1) % count}`]),
    ],
    (all) =>
      smallestChains(
        all.filter(({ kind }) => kind === 'three').map(({ id }) => ({ factId: id, goal: 'goal' })),
        all,
      ),
  ),
];

const field = '<input name="t" ';
const captured = 'v4l7e9s2';
const pages: Record<string, [text: string, pattern?: string]> = {
  'in a tag of one long line': [`${field}${filled('a', MiB)}\n value="${captured}">`, 'name="t"[^>]*value="([^"]*)"'],
  'that other values follow': [`${`"a":"${captured}",`.repeat(20)}${filled('"a":"zzz",', 2 * MiB)}`],
  'under many names': [
    `${counted((index) => `"a${index}":"${captured}","a${index}":"",`, KiB)}${filled('"a":"zzz",', 2 * MiB)}`,
  ],
};
const reproduction = Object.entries(pages).map(([where, [text, pattern]]) =>
  row(
    `a value that commands read out of a page, ${where}`,
    [],
    () => text,
    (page) => filterFor(page, captured, pattern),
  ),
);

/** The longest addresses that are fetched, as many as are surveyed. */
const sitePages = (): PageSurface[] =>
  Array.from({ length: 2_000 }, (_, index) => ({
    url: `http://shop.example/${index}/${filled('a/', 200)}?${counted((at) => `p${at}=&`, 1_500)}`,
    ...{
      status: 200,
      contentType: 'application/json',
      headers: [],
      setCookies: [],
      title: '',
      scripts: [],
      source: '',
    },
  }));
const surfaceOf = (all: PageSurface[]) =>
  ({ url: pageUrl, pages: all, forms: [], inputs: [], calls: [], explored: [], skipped: [] }) as unknown as Surface;

const bodies = () =>
  Array.from({ length: 50 }, (_, index) =>
    bodyInputs({
      ...{ method: 'POST', url: `${pageUrl}/${index}`, contentType: 'application/json' },
      body: `{${counted((at) => `"n${at}":"text",`, 400)}"z":[${filled('{},', 15 * KiB)}{}]}`,
    }),
  ).flatMap(({ inputs }) => inputs);

const forms = (): FormSurface[] =>
  Array.from({ length: 300 }, (_, index) => ({
    ...{ pageUrl, action: `http://shop.example/${index}`, method: 'POST', enctype: '' },
    fields: Array.from({ length: 200 }, (_each, at) => ({ name: `f${index}_${at}`, type: 'text', value: 'x' })),
  }));

const site: Row[] = [
  row('addresses of hundreds of parameters, as inputs', [], sitePages, (all) => {
    const inputs = createInputList();
    for (const { url } of all) inputs.addUrl(url);
    return inputs.all();
  }),
  row('pages around a request', [], sitePages, (all) =>
    pagesAround(surfaceOf(all), { url: `${pageUrl}/${filled('a/', 1_000)}`, pageUrl }),
  ),
  row('addresses of a matrix', [], sitePages, (all) =>
    chooseAddresses({ '': surfaceOf(all), a: surfaceOf(all), b: surfaceOf(all) }, ['/x'], new Set()),
  ),
  ...['<!--', '<!DOCTYPE[', '<a>', '<a x', '</a', '<![CDATA[', '<a></a>'].map((unit) =>
    row(`the texts of XML that a script sends: ${unit}`, [], () => filled(unit, 16 * KiB), xmlTexts),
  ),
  ...['"\\\\', '"""', 'a(b:"', '{a(b:1)', '#', '-1'].map((unit) =>
    row(
      `the values in a query that a script sends: ${unit}`,
      ['workflows/model/graphql-literals.ts'],
      () => filled(unit, 16 * KiB),
      graphQlLiterals,
    ),
  ),
  row('a schema of GraphQL', ['workflows/survey/graphql-queries.ts'], graphQlSchema, queriesOf),
  row('bodies that scripts send', [], bodies, (inputs) => {
    const requests = documentRequests(inputs);
    return requests.slice(0, 1).map((request) => neutralDocument(request, { word: 'q3f8s0d9xk', number: '71' }));
  }),
  row('forms of a whole site', [], forms, (all) => {
    const gate = createGate({ depth: 'deep', writes: 'reversible' });
    gate.learn({ forms: all });
    return gate;
  }),
];

/** What a scan makes of the results of a whole site. */
export const conclusionRows: Row[] = [...planner, ...reproduction, ...site];
