import { type Html, html, type Part, styleElement } from '../../kit/html.ts';
import { anyText, type Schema } from './schemas.ts';

/** The parts of an OpenAPI document that the page shows. */
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: Schema[];
  requestBody?: { required: boolean; content: Record<string, Schema> };
  responses: Record<string, { description: string; content?: Record<string, Schema> }>;
};
type OpenApiDocument = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Schema> };
};

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: light-dark(#f4f5f6, #202428); }
html { background: light-dark(#fff, #14171a); color: light-dark(#1b1e21, #e8eaed); }
a { color: light-dark(#0b57d0, #a8c7fa); }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { background: var(--soft); overflow-x: auto; padding: .75rem; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
summary { cursor: pointer; }
h2 code { font-size: 1.125rem; }
code, summary { overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
@media (max-width: 40rem) { thead { display: none; } tr, th, td { display: block; } td, th { border: 0; } tr { border-bottom: 1px solid var(--line); } }
`;

/** The API for people: a page without script that needs nothing from elsewhere. */
export function apiPage(document: Schema): Html {
  const { info, paths, components } = document as unknown as OpenApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${info.title} API</title>${styleElement(style)}</head>
<body><main><h1>${info.title} API</h1>${paragraphs(info.description)}
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Operations"><ul>${operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}"><code>${method} ${path}</code></a> ${prose(operation.summary)}</li>`,
  )}</ul></nav>
${operations.map(({ path, method, operation }) => operationSection(method, path, operation, components))}
<section><h2 id="schemas">Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details id="schema-${name}"><summary><code>${name}</code></summary>${json(schema)}</details>`,
  )}</section></main></body></html>`;
}

function operationSection(
  method: string,
  path: string,
  operation: Operation,
  { parameters, schemas }: OpenApiDocument['components'],
) {
  const known = operation.parameters.map(
    (each) =>
      parameters[
        String(each.$ref ?? '')
          .split('/')
          .at(-1) ?? ''
      ] ?? each,
  );
  return html`<section><h2 id="${operation.operationId}"><code>${method} ${path}</code></h2>
${paragraphs(operation.description)}
${known.length > 0 && parameterTable(known)}
${operation.requestBody && html`<h3>Body</h3>${contentOf(operation.requestBody.content)}${fieldsOf(operation.requestBody.content, schemas)}`}
<h3>Answers</h3>${Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      html`<details><summary><strong>${status}</strong> ${prose(description)}</summary>${contentOf(content ?? {})}</details>`,
  )}</section>`;
}

const parameterTable = (parameters: Schema[], title = 'Parameters'): Html =>
  html`<h3>${title}</h3><div><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">What</th></tr></thead><tbody>${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><th scope="row"><code>${String(name)}</code>${required === true && ' (required)'}</th><td>${String(place)}</td><td>${prose(String(description ?? ''))} ${limitsOf(schema as Schema)}</td></tr>`,
  )}</tbody></table></div>`;

/** The fields of a body, as a table like that of the parameters. */
function fieldsOf(content: Record<string, Schema>, schemas: Record<string, Schema>): Part {
  const { $ref } = (content['application/json']?.schema ?? {}) as Schema;
  const { properties = {}, required = [] } = (schemas[String($ref).split('/').at(-1) ?? ''] ?? {}) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const rows = Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'body', required: required.includes(name), description, schema };
  });
  return rows.length > 0 && parameterTable(rows, 'Fields');
}

/** What a value may be, in one line. */
function limitsOf(schema: Schema): Part {
  const { type, items, enum: words, minimum, maximum, minLength, maxLength, maxItems, pattern, format } = schema;
  if (items)
    return html`List${maxItems !== undefined && ` of at most ${maxItems}`}, each: ${limitsOf(items as Schema)}`;
  const facts = [
    schema.$ref ? nameOf(schema) : Array.isArray(words) ? undefined : String(type),
    Array.isArray(words) && words.map((word, index) => [index > 0 && ' | ', html`<code>${String(word)}</code>`]),
    range(minimum, maximum),
    range(minLength, maxLength, ' characters'),
    format !== undefined && html`format <code>${String(format)}</code>`,
    pattern !== undefined && pattern !== anyText && html`matches <code>${String(pattern)}</code>`,
  ].filter((fact) => fact !== undefined && fact !== false);
  return html`<small>(${facts.map((fact, index) => [index > 0 && ', ', fact])})</small>`;
}

function range(least: unknown, most: unknown, unit = ''): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}

const contentOf = (content: Record<string, Schema>): Part =>
  Object.entries(content).map(([type, { schema, example, examples = {} }]) => {
    const several = Object.values(examples as Record<string, { value: unknown }>).map(({ value }) => value);
    const shown = example === undefined ? several : [example];
    return html`<p><code>${type}</code> ${nameOf(schema as Schema)}</p>${(shown.length > 0 ? shown : [schema]).map(json)}`;
  });

/** Text with what stands between backticks as code. */
const prose = (text: string): Part =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

const paragraphs = (text: string): Part => text.split('\n\n').map((part) => html`<p>${prose(part)}</p>`);

function nameOf({ $ref }: Schema): Part {
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
  return name !== undefined && html`<a href="#schema-${name}">${name}</a>`;
}

const json = (value: unknown): Html => html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
