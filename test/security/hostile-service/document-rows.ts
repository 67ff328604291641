import { readDocument } from '../../../kit/documents/read-document.ts';
import type { Row } from './row.ts';

const mebibyte = 1024 * 1024;
const json = 8 * mebibyte;
const yaml = 800 * 1024;

const kinds = ['openapi', 'openapi-schema', 'postman', 'har', 'json-body', 'draft', 'wsdl', 'xml-tree', 'xml-samples'];
const files = ['read-document', ...kinds].map((name) => `kit/documents/${name}.ts`);

const openApi = (rest: string) => `{"openapi":"3.1.0",${rest}}`;
const paths = (count: number, item: (index: number) => string) =>
  `"paths":{${Array.from({ length: count }, (_, index) => `"/p${index}":${item(index)}`).join()}}`;
const postman = (items: string, variables = '') => `{"info":{},"variable":[${variables}],"item":[${items}]}`;
const request = (url: string) => `{"request":{"url":${JSON.stringify(url)}}}`;
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join();

const wsdl = (rest: string) => `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/">${rest}</definitions>`;
const grows = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join('');
/** A service whose one operation takes an element of this schema. */
const soapService = (schema: string) =>
  wsdl(`<types><schema xmlns="http://www.w3.org/2001/XMLSchema">${schema}</schema></types><message name="m"><part name="p" element="e"/></message><portType name="t"><operation name="o"><input message="m"/></operation></portType>
  <binding name="b" type="t"><operation name="o"/></binding><service><port binding="b"><address xmlns="http://schemas.xmlsoap.org/wsdl/soap/" location="http://a.example/"/></port></service>`);

/** Documents by what is hostile in them. */
const documents: [name: string, size: number, make: (size: number) => string][] = [
  ['JSON: nothing but brackets', json, (size) => `{"a":${'['.repeat(size)}`],
  ['JSON: lists within each other', json, (size) => `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`],
  ['OpenAPI: many paths', json, (size) => openApi(paths(size / 40, () => '{"get":{}}'))],
  [
    'OpenAPI: a path of slashes',
    json,
    (size) => openApi(`"servers":[{"url":"${'/'.repeat(size)}a"}],${paths(1, () => '{"get":{}}')}`),
  ],
  ['OpenAPI: one long path', json, (size) => openApi(`"paths":{"/${'é'.repeat(size / 2)}":{"get":{}}}`)],
  [
    'OpenAPI: braces in a server',
    json,
    (size) => openApi(`"servers":[{"url":"${'{a'.repeat(size / 2)}"}],${paths(1, () => '{"get":{}}')}`),
  ],
  [
    'OpenAPI: many servers',
    json,
    (size) =>
      openApi(`"servers":[${list(size / 30, (i) => `{"url":"https://a/${i}"}`)}],${paths(2_000, () => '{"get":{}}')}`),
  ],
  [
    'OpenAPI: parts that refer to the whole, many times',
    json,
    (size) =>
      openApi(
        `"components":{"schemas":{"a":{"allOf":[${list(size / 40, () => '{"$ref":"#/components/schemas/a"}')}]}}},${paths(100, () => '{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/a"}}}}}}')}`,
      ),
  ],
  [
    'OpenAPI: a thousand operations with the properties of one large schema',
    json,
    (size) =>
      openApi(
        `"components":{"schemas":{"a":{"properties":{${list(size / 20, (i) => `"p${i}":{}`)}}}}},${paths(1_000, () => '{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/a"}}}}}}')}`,
      ),
  ],
  [
    'OpenAPI: a thousand operations with one large example',
    json,
    (size) =>
      openApi(
        `"components":{"requestBodies":{"a":{"content":{"application/json":{"example":{${list(size / 20, (i) => `"p${i}":"x"`)}}}}}}},${paths(1_000, () => '{"post":{"requestBody":{"$ref":"#/components/requestBodies/a"}}}')}`,
      ),
  ],
  [
    'OpenAPI: a thousand paths with one large item of parameters',
    json,
    (size) =>
      openApi(
        `"x":{"a":{"parameters":[${list(size / 40, (i) => `{"name":"p${i}","in":"query"}`)}],"get":{}}},${paths(1_000, () => '{"$ref":"#/x/a"}')}`,
      ),
  ],
  [
    'OpenAPI: references in a circle',
    json,
    (size) => openApi(`"x":{"$ref":"#/x"},${paths(size / 60, () => '{"$ref":"#/x"}')}`),
  ],
  ['OpenAPI: a long pointer', json, (size) => openApi(`${paths(1, () => `{"$ref":"#/${'a/'.repeat(size / 2)}"}`)}`)],
  [
    'Postman: folders within folders',
    json,
    (size) => postman(`${'{"item":['.repeat(size / 12)}${']}'.repeat(size / 12)}`),
  ],
  ['Postman: spaces behind braces', json, (size) => postman(request(`https://a/{{${' '.repeat(size)}`))],
  ['Postman: opening braces', json, (size) => postman(request(`https://a/${'{{a'.repeat(size / 3)}`))],
  ['Postman: segments', json, (size) => postman(request(`https://a${'/a'.repeat(size / 16)}`))],
  [
    'Postman: variables that name each other many times',
    json,
    (size) =>
      postman(
        request('https://a/{{v0}}'),
        list(6, (i) => `{"key":"v${i}","value":"${`{{v${i + 1}}}`.repeat(Math.max(1, size / 400_000))}"}`),
      ),
  ],
  [
    'Postman: one long value, many times',
    json,
    (size) =>
      postman(request(`https://a/${'{{v}}'.repeat(size / 20)}`), `{"key":"v","value":"${'x'.repeat(size / 2)}"}`),
  ],
  [
    'Postman: a JSON body that is nested',
    json,
    (size) => postman(`{"request":{"url":"https://a/","body":{"mode":"raw","raw":"${'['.repeat(size)}"}}}`),
  ],
  [
    'HAR: many entries',
    json,
    (size) => `{"log":{"entries":[${list(size / 50, (i) => `{"request":{"url":"https://a/${i}"}}`)}]}}`,
  ],
  [
    'HAR: a query of many parameters',
    json,
    (size) => `{"log":{"entries":[{"request":{"url":"https://a/?${'a&'.repeat(size / 16)}"}}]}}`,
  ],
  [
    'YAML: aliases of aliases',
    yaml,
    () =>
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}]\n`).join('')}`,
  ],
  [
    'YAML: many anchors, each with an alias',
    yaml,
    (size) => list(size / 24, (i) => `a${i}: &a${i} x\nb${i}: *a${i}\n`).replaceAll(',', ''),
  ],
  [
    'YAML: merge keys',
    yaml,
    (size) => `a: &a {x: 1}\n${list(size / 14, (i) => `b${i}: {<<: *a}\n`).replaceAll(',', '')}`,
  ],
  ['YAML: flow lists within each other', yaml, (size) => `a: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
  [
    'YAML: blocks within each other',
    yaml,
    (size) => Array.from({ length: Math.sqrt(size * 2) }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
  ],
  ['YAML: keys that are given twice', yaml, (size) => 'a: 1\n'.repeat(size / 5)],
  ['YAML: a long plain text', yaml, (size) => `openapi: ${'x '.repeat(size / 2)}`],
  ['YAML: a long number', yaml, (size) => `openapi: ${'9'.repeat(size)}`],
  ['YAML: comments', yaml, (size) => `${'#\n'.repeat(size / 2)}a: 1`],
  ['WSDL: many elements', json, (size) => wsdl('<a/>'.repeat(size / 4))],
  ['WSDL: elements within elements', json, (size) => wsdl('<a>'.repeat(size / 3))],
  ['WSDL: an attribute after another', json, (size) => wsdl(`<a ${grows(size / 12, (i) => `a${i}="" `)}/>`)],
  ['WSDL: many services', json, (size) => wsdl(grows(size / 100, (i) => `<service><port binding="b${i}"/></service>`))],
  [
    'WSDL: types of types, many of each',
    yaml,
    () =>
      soapService(
        `<element name="e" type="t0"/>${grows(30, (i) => `<complexType name="t${i}"><sequence>${`<element name="x" type="t${i + 1}"/><extension base="t${i + 1}"/>`.repeat(20)}</sequence></complexType>`)}`,
      ),
  ],
  [
    'WSDL: a type that is its own base',
    yaml,
    () => soapService('<element name="e" type="t"/><complexType name="t"><extension base="t"/></complexType>'),
  ],
  [
    'WSDL: comments before it',
    json,
    (size) => `${'<!-- -'.repeat(size / 7)}<definitions xmlns="http://schemas.xmlsoap.org/wsdl/">`,
  ],
  ['YAML: documents', yaml, (size) => '---\n'.repeat(size / 4)],
  ['YAML: tags', yaml, (size) => `a: ${'!!x '.repeat(size / 4)}`],
];

/** Measured with every change: of each format what asks the most of its reader. */
const usual = [
  'JSON: lists within each other',
  'OpenAPI: one long path',
  'OpenAPI: a thousand operations with the properties of one large schema',
  'Postman: folders within folders',
  'HAR: many entries',
  'WSDL: types of types, many of each',
  'YAML: aliases of aliases',
  'YAML: tags',
];

export const rows: readonly Row[] = documents.map(([name, size, make]) => ({
  name,
  covers: files,
  size,
  make,
  read: (text: string) => readDocument(text),
  isAside: true,
  isFurther: !usual.includes(name),
}));
