import { type Html, html } from '../../kit/html.ts';
import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { countBySeverity, severityClass, severityName } from './severity.ts';
import { count } from './text.ts';

const width = 360;
const rowHeight = 30;
const barLeft = 78;
const barRight = 312;

/** Bars: how many findings of each severity. */
export function severityBars(findings: readonly Finding[]): Html {
  const rows = countBySeverity(findings);
  const most = Math.max(1, ...rows.map((row) => row.count));
  const spoken = rows.map((row) => `${severityName(row.severity)}: ${row.count}`).join(', ');
  return html`<figure class="picture">
<svg viewBox="0 0 ${width} ${rows.length * rowHeight}" role="img" aria-labelledby="bars-title bars-desc">
<title id="bars-title">Findings by severity</title><desc id="bars-desc">${spoken}.</desc>
${rows.map(({ severity, count: amount }, index) => {
  const y = index * rowHeight;
  const length = amount === 0 ? 0 : Math.max(4, (amount / most) * (barRight - barLeft));
  return html`<text x="0" y="${y + 20}" class="label">${severityName(severity)}</text>
<rect x="${barLeft}" y="${y + 8}" width="${barRight - barLeft}" height="14" rx="3" class="track"/>
<rect x="${barLeft}" y="${y + 8}" width="${length.toFixed(1)}" height="14" rx="3" class="fill ${severityClass(severity)}"/>
<text x="${width}" y="${y + 20}" text-anchor="end" class="number">${amount}</text>`;
})}
</svg><figcaption>Findings by severity</figcaption></figure>`;
}

/** Scores at which CVSS changes the severity's name: https://www.first.org/cvss/v3.1/specification-document §5 */
const bands = [
  { from: 0, to: 4, name: 'low' },
  { from: 4, to: 7, name: 'medium' },
  { from: 7, to: 9, name: 'high' },
  { from: 9, to: 10, name: 'critical' },
] as const;

const radius = 6;
const dotPitch = 13;
const mostDots = 8;
const axis = { left: 8, right: 352, top: 12, bottom: 112 };
const xOf = (score: number) => axis.left + (score / 10) * (axis.right - axis.left);

/** Dots on the CVSS scale, one a finding; columns are squeezed when there are many. */
export function scorePicture(findings: readonly Finding[]): Html {
  const columns = Map.groupBy(findings, (finding) => Math.round((finding.cvss?.score ?? 0) * 2) / 2);
  const tallest = Math.max(0, ...[...columns.values()].map((column) => column.length));
  const top = tallest > mostDots ? 0 : axis.bottom - 8 - tallest * dotPitch;
  return html`<figure class="picture">
<svg viewBox="0 ${top} ${width} ${144 - top}" role="img" aria-labelledby="scores-title scores-desc">
<title id="scores-title">Findings on the CVSS scale</title>
<desc id="scores-desc">${count(findings.length, 'finding')} by CVSS base score from 0 to 10${worst(findings)}.</desc>
${bands.map(
  (band) =>
    html`<rect x="${xOf(band.from)}" y="${axis.bottom + 2}" width="${xOf(band.to) - xOf(band.from) - 2}" height="5" rx="2" class="fill ${band.name}"/>`,
)}
${[0, 4, 7, 9, 10].map(
  (score) =>
    html`<text x="${xOf(score)}" y="${axis.bottom + 26}" text-anchor="${score === 0 ? 'start' : score === 10 ? 'end' : 'middle'}" class="label">${score}</text>`,
)}
${[...columns].map(([score, column]) => dots(score, column, tallest))}
</svg><figcaption>Findings on the CVSS scale, 0 to 10</figcaption></figure>`;
}

function worst(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  return `; the highest is ${Math.max(...findings.map((finding) => finding.cvss?.score ?? 0)).toFixed(1)}`;
}

function dots(score: number, column: Finding[], tallest: number): Html {
  const x = Math.min(Math.max(xOf(score), axis.left + radius), axis.right - radius);
  const [first] = column;
  if (!first) return html``;
  if (tallest > mostDots) {
    const height = Math.max(4, (column.length / tallest) * (axis.bottom - axis.top - 14));
    const y = axis.bottom - 4 - height;
    return html`<rect x="${x - radius}" y="${y.toFixed(1)}" width="${radius * 2}" height="${height.toFixed(1)}" rx="3" class="fill ${severityClass(first.severity)}"/>
<text x="${x}" y="${(y - 4).toFixed(1)}" text-anchor="middle" class="number small">${column.length}</text>`;
  }
  return html`${column.map(
    (finding, index) =>
      html`<circle cx="${x}" cy="${axis.bottom - 6 - index * dotPitch}" r="${radius}" class="fill ${severityClass(finding.severity)}"/>`,
  )}`;
}
