import { createHash } from 'node:crypto';
import { type Html, html, styleElement } from '../../kit/html.ts';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { ReportEntry } from './input.ts';
import { styles } from './styles.ts';
import { clip, time } from './text.ts';
import { depthName } from './verdict.ts';

const styleHash = createHash('sha256').update(styles).digest('base64');

/** Nothing may load or run but the stylesheet of this very report; the icon is a data URL of ours. */
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath d='M12 1l9 3v8c0 5.5-3.8 9.5-9 11.5C6.8 21.5 3 17.5 3 12V4z' fill='%231f4d6b'/%3E%3Cpath d='M7.5 12l3.200 3.200 6-6.400' fill='none' stroke='white' stroke-width='2.4'/%3E%3C/svg%3E";

/** The document around the sections. */
export function page(options: { scan: Scan; orgName: string; contents: ReportEntry[]; body: Html }): Html {
  const { scan, orgName, contents, body } = options;
  const host = clip(scan.host, 300);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex, nofollow"><meta name="color-scheme" content="light dark">
<title>Security audit of ${host}</title><link rel="icon" href="${icon}">${styleElement(styles)}</head>
<body><a class="skip" href="#summary">Skip to the result</a>
<header class="cover"><p class="eyebrow">Security audit report</p><h1>${host}</h1>
<p class="about">${depthName(scan.depth)} audit for ${clip(orgName, 200)} · ${time(scan.finishedAt ?? scan.startedAt ?? scan.createdAt)}</p></header>
<div class="columns"><nav aria-label="Contents"><p class="nav-title">Contents</p>${list(contents)}</nav>
<main>${body}</main></div>
<footer><p>Confidential. It describes weaknesses of ${host} and how to use them; pass it on only to those who repair them.</p>
<p>Scan <span class="id">${clip(scan.runId, 64)}</span></p></footer></body></html>
`;
}

const list = (entries: readonly ReportEntry[]): Html =>
  html`<ol>${entries.map((entry) => html`<li><a href="#${entry.anchor}">${entry.title}</a>${entry.entries && entry.entries.length > 0 && list(entry.entries)}</li>`)}</ol>`;
