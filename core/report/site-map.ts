import { type Html, html } from '../../kit/html.ts';
import type { SiteMap, SiteRoute } from '../../proto/gen/scanaudit/v1/surface_pb.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import { section, table } from './section.ts';
import { clip, count } from './text.ts';

/** Which routes of the site were seen, by whom, and what they take. */
export function siteMapSection({ routes, furtherRoutes, leftOut }: SiteMap): Html | undefined {
  if (routes.length === 0) return undefined;
  const budget = new ByteBudget(shares.siteMapBytes);
  const rows = fitting(routes, budget, routeRow);
  const cut = rows.left + furtherRoutes;
  const skipped = fitting(leftOut, budget, ({ code, reason, urls }) => {
    const [example = ''] = urls;
    return html`<tr><th scope="row">${clip(code, 60)}</th><td>${clip(reason, 300)}</td><td><code>${clip(example, 300)}</code></td></tr>`;
  });
  return section({
    id: 'site-map',
    title: 'Site map',
    lead: `The audit saw ${count(routes.length + furtherRoutes, 'route')} of the site. What is not here was not tested.`,
    body: html`<details class="evidence"><summary>Routes and their inputs (${routes.length + furtherRoutes})</summary><div class="evidence-body">${table(
      { caption: 'Routes that were seen', columns: ['Route', 'Answer', 'Seen by', 'Inputs'], rows: rows.shown },
    )}${cut > 0 && html`<p class="note cut">${count(cut, 'further route')} not shown here, to keep this file small.</p>`}</div></details>
${skipped.shown.length > 0 && html`<details class="evidence"><summary>Seen and not asked for</summary><div class="evidence-body">${table({ caption: 'Addresses that were left out, with an example of each reason', columns: ['Reason', 'Why', 'Example'], rows: skipped.shown })}</div></details>`}`,
  });
}

function routeRow({ method, route, status, seenBy, inputs, furtherInputs, unvisited }: SiteRoute): Html {
  const names = seenBy.map((name) => (name === '' ? 'no login' : clip(name, 60))).join(', ');
  const taken = inputs.map(({ name, in: place }) => `${clip(name, 80)} (${place})`);
  const more = furtherInputs > 0 ? [`and ${furtherInputs} more`] : [];
  return html`<tr><th scope="row"><code>${clip(`${method} ${route}`, 300)}</code></th><td>${status === 0 ? (unvisited ? 'only named' : 'not asked for') : status}</td><td>${names}</td><td>${clip([...taken, ...more].join(', '), 2_000)}</td></tr>`;
}
