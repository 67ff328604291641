import { type Html, html, type Part, styleElement } from '../../kit/html.ts';
import type { Schema } from './schemas.ts';

/** The parts of an OpenAPI document that the page shows. */
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: Schema[];
  requestBody?: { required: boolean; content: Record<string, Schema> };
  responses: Record<string, { description: string; content?: Record<string, Schema> }>;
};
type Document = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Schema> };
};

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { background: var(--soft); overflow-x: auto; padding: .75rem; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
summary { cursor: pointer; }
h2 code { overflow-wrap: anywhere; }
.scrolls { overflow-x: auto; }
`;

/** The API for people: a page without script that needs nothing from elsewhere. */
export function apiPage(document: Schema): Html {
  const { info, paths, components } = document as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${info.title} API</title>${styleElement(style)}</head>
<body><main><h1>${info.title} API</h1>${info.description.split('\n\n').map((text) => html`<p>${text}</p>`)}
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Operations"><ul>${operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}"><code>${method} ${path}</code></a> ${operation.summary}</li>`,
  )}</ul></nav>
${operations.map(({ path, method, operation }) => operationSection(method, path, operation, components))}
<section><h2 id="schemas">Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details id="schema-${name}"><summary><code>${name}</code></summary>${json(schema)}</details>`,
  )}</section></main></body></html>`;
}

function operationSection(method: string, path: string, operation: Operation, { parameters }: Document['components']) {
  const known = operation.parameters.map(
    (each) =>
      parameters[
        String(each.$ref ?? '')
          .split('/')
          .at(-1) ?? ''
      ] ?? each,
  );
  return html`<section><h2 id="${operation.operationId}"><code>${method} ${path}</code></h2>
${operation.description.split('\n\n').map((text) => html`<p>${text}</p>`)}
${known.length > 0 && parameterTable(known)}
${operation.requestBody && html`<h3>Body</h3>${contentOf(operation.requestBody.content)}`}
<h3>Answers</h3>${Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      html`<details><summary><strong>${status}</strong> ${description}</summary>${contentOf(content ?? {})}</details>`,
  )}</section>`;
}

const parameterTable = (parameters: Schema[]): Html =>
  html`<h3>Parameters</h3><div class="scrolls" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">What</th></tr></thead><tbody>${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><th scope="row"><code>${String(name)}</code>${required === true && ' (required)'}</th><td>${String(place)}</td><td>${String(description ?? '')} ${limitsOf(schema as Schema)}</td></tr>`,
  )}</tbody></table></div>`;

/** What a value may be, in one line. */
function limitsOf({ description: _, ...schema }: Schema): Part {
  return html`<code>${JSON.stringify(schema)}</code>`;
}

const contentOf = (content: Record<string, Schema>): Part =>
  Object.entries(content).map(([type, { schema, example, examples }]) => {
    const first = Object.values((examples ?? {}) as Record<string, { value: unknown }>)[0]?.value;
    return html`<p><code>${type}</code> ${nameOf(schema as Schema)}</p>${json(example ?? first ?? schema)}`;
  });

function nameOf({ $ref }: Schema): Part {
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
  return name !== undefined && html`<a href="#schema-${name}">${name}</a>`;
}

const json = (value: unknown): Html => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
