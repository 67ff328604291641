import { type Html, html } from '../../kit/html.ts';

/** A part of the report with a heading of level 2, reachable from the contents. */
export const section = (options: { id: string; title: string; lead?: string; body: Html }): Html =>
  html`<section id="${options.id}" aria-labelledby="${options.id}-heading"><h2 id="${options.id}-heading">${options.title}</h2>
${options.lead !== undefined && html`<p class="lead">${options.lead}</p>`}${options.body}</section>`;

/** A table that scrolls by itself when the screen is narrow, and can be scrolled by keyboard. */
export const table = ({ caption, columns, rows }: { caption: string; columns: string[]; rows: Html[] }): Html =>
  scrollable(caption, html`<table>${head(caption, columns)}<tbody>${rows}</tbody></table>`);

/** The same with groups of rows under headings of their own; what names a row stays in sight. */
export const matrixTable = (options: {
  caption: string;
  columns: string[];
  groups: { heading: string; rows: Html[] }[];
}): Html =>
  scrollable(
    options.caption,
    html`<table class="matrix">${head(options.caption, options.columns)}${options.groups.map(
      ({ heading, rows }) =>
        html`<tbody><tr><th scope="rowgroup" colspan="${options.columns.length}">${heading}</th></tr>${rows}</tbody>`,
    )}</table>`,
  );

const scrollable = (caption: string, markup: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">${markup}</div>`;

const head = (caption: string, columns: string[]): Html =>
  html`<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>`;

/** Names with their values. */
export const facts = (entries: (readonly [name: string, value: Html | string | undefined])[]): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
