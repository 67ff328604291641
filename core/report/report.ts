import { type Html, html } from '../../kit/html.ts';
import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { coverageSection } from './coverage.ts';
import { findingsSections } from './findings-sections.ts';
import { topFixes } from './fixes.ts';
import { type Grouped, groupFindings } from './groups.ts';
import type { ReportEntry, ReportInput } from './input.ts';
import { methodologySection } from './methodology.ts';
import { page } from './page.ts';
import { permissionsSection } from './permissions.ts';
import { keyFacts, scopeSection } from './scope.ts';
import { section } from './section.ts';
import { isOpen, worstFirst } from './severity.ts';
import { scorePicture, severityBars } from './severity-picture.ts';
import { siteMapSection } from './site-map.ts';
import { count, shorten } from './text.ts';
import { verdict } from './verdict.ts';
import { writesBanner, writesSection } from './writes.ts';

/**
 * The report of a scan: one HTML file without scripts or outside parts, at most 5 MiB of UTF-8.
 * Every text of the input is treated as hostile. What does not fit is summarised, and the report says so.
 */
export function renderReport(input: ReportInput): string {
  const { scan, writes } = input;
  const grouped = groupFindings(input.findings);
  const fixes = topFixes(grouped);
  const open = input.findings.filter(isOpen).toSorted(worstFirst);
  const permissions = permissionsSection(input.permissions, grouped, scan.url);
  const siteMap = siteMapSection(input.siteMap);
  const body = html`${summary(input, open)}${fixes}${findingsSections(scan, grouped)}${permissions}${writesSection(writes)}
${coverageSection(scan)}${siteMap}${scopeSection(input)}${methodologySection()}`;
  const present = {
    fixes: fixes !== undefined,
    permissions: permissions !== undefined,
    writes: writes.length > 0,
    siteMap: siteMap !== undefined,
  };
  return page({ scan, orgName: input.run.orgName, contents: contents(grouped, present), body }).text;
}

function summary({ scan, findings, writes }: ReportInput, open: Finding[]): Html {
  const missing = scan.findingsCount - findings.length;
  const setAside = findings.length - open.length;
  return section({
    id: 'summary',
    title: 'Result',
    body: html`${verdict(scan, open)}${writesBanner(writes)}
${missing > 0 && html`<div class="banner cut" role="note"><p>This scan has ${count(missing, 'further finding')} that ${missing === 1 ? 'is' : 'are'} not in this file; the API has ${missing === 1 ? 'it' : 'them'}.</p></div>`}
${open.length > 0 && html`<div class="pictures">${severityBars(open)}${scorePicture(open)}</div>`}
${keyFacts(scan, open)}
${setAside > 0 && html`<p class="note">${count(setAside, 'further finding')} ${setAside === 1 ? 'is' : 'are'} accepted or marked as false positive and not counted here; see <a href="#set-aside">Set aside</a>.</p>`}`,
  });
}

const mostEntries = 60;
const maxEntryCharacters = 110;

function contents(
  grouped: Grouped,
  present: Record<'fixes' | 'permissions' | 'writes' | 'siteMap', boolean>,
): ReportEntry[] {
  const below = (groups: Grouped['chains'], letter: string) =>
    groups.slice(0, mostEntries).map(({ anchor, lead }, index) => ({
      anchor,
      title: `${letter}${index + 1} ${shorten(lead.title, maxEntryCharacters)}`,
    }));
  const entries: (ReportEntry | false)[] = [
    { anchor: 'summary', title: 'Result' },
    present.fixes && { anchor: 'fixes', title: 'What to fix first' },
    grouped.chains.length > 0 && { anchor: 'chains', title: 'Attack chains', entries: below(grouped.chains, 'C') },
    { anchor: 'findings', title: 'Findings', entries: below(grouped.weaknesses, 'F') },
    grouped.setAside.length > 0 && { anchor: 'set-aside', title: 'Set aside' },
    present.permissions && { anchor: 'permissions', title: 'Who is shown what' },
    present.writes && { anchor: 'writes', title: 'Changes to the target' },
    { anchor: 'coverage', title: 'Coverage' },
    present.siteMap && { anchor: 'site-map', title: 'Site map' },
    { anchor: 'scope', title: 'Scope and authorisation' },
    { anchor: 'methodology', title: 'How this audit works' },
  ];
  return entries.filter((entry) => entry !== false);
}
