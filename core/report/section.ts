import { type Html, html } from './html.ts';

/** A part of the report with a heading of level 2, reachable from the contents. */
export const section = (options: { id: string; title: string; lead?: string; body: Html }): Html =>
  html`<section id="${options.id}" aria-labelledby="${options.id}-heading"><h2 id="${options.id}-heading">${options.title}</h2>
${options.lead !== undefined && html`<p class="lead">${options.lead}</p>`}${options.body}</section>`;

/** A table that scrolls by itself when the screen is narrow, and can be scrolled by keyboard. */
export const table = (options: { caption: string; columns: string[]; rows: Html[] }): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${options.caption}"><table><caption class="unseen">${options.caption}</caption>
<thead><tr>${options.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${options.rows}</tbody></table></div>`;

/** Names with their values. */
export const facts = (entries: (readonly [name: string, value: Html | string | undefined])[]): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
