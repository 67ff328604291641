import { surveyOf } from '../workflows/probe/survey-site.ts';
import { atMost, fixed, type Row, within } from './table.ts';

/** Pages of one kind have the same parts; a survey folds them once it has seen enough of them. */
const kinds = 40;
const linksEach = 12;
const maxRequests = 10_000;
const timeLimitMs = 300_000;

type Cost = { pages: number; cpuMs: number; seconds: number };

/**
 * Processor time of a survey for each page that it fetched, without the browser, at 200 and 2,000 pages beside 100 in the same run. The
 * site runs in the same process, and costs the same for each page.
 */
export async function surveyRows(): Promise<Row[]> {
  // Code is compiled while it runs first.
  await costOf(100);
  const [few, more, many] = [await costOf(100), await costOf(200), await costOf(2_000)];
  const seconds = `${fixed(more.seconds)} s`;
  return [
    rowOf('survey: time a page of 200', more, few, 1.25),
    rowOf('survey: time a page of 2,000', many, few, 1.5),
    {
      ...{ what: 'survey: 200 pages in all', ours: seconds, beside: 'at most 30 s', ratio: more.seconds / 30 },
      aim: within('≤ 30 s', more.seconds, 30, 's'),
    },
  ];
}

const perPage = ({ cpuMs, pages }: Cost): number => cpuMs / pages;
const textOf = (cost: Cost): string => `${fixed(perPage(cost))} ms (${cost.pages} fetched)`;
const rowOf = (what: string, ours: Cost, beside: Cost, limit: number): Row => ({
  ...{ what, ours: textOf(ours), beside: textOf(beside) },
  ...{ ratio: perPage(ours) / perPage(beside), aim: atMost(limit) },
});

/** Surveys a site of so many pages: each leads to the next ones, and one in five takes input. */
async function costOf(count: number): Promise<Cost> {
  const begun = process.cpuUsage();
  const beganMs = performance.now();
  const { asked } = await surveyOf(
    (path) => {
      if (path === '/') return page(0, count);
      const [, number = ''] = /^\/part-\w+\/(\d+)$/.exec(path) ?? [];
      return number !== '' && Number(number) < count ? page(Number(number), count) : { status: 404 };
    },
    {},
    { share: { maxRequests, deadlineMs: Date.now() + timeLimitMs } },
  );
  const { user, system } = process.cpuUsage(begun);
  return { pages: asked.length, cpuMs: (user + system) / 1_000, seconds: (performance.now() - beganMs) / 1_000 };
}

const addressOf = (number: number): string => `/part-${wordOf(number % kinds)}/${number}`;
const wordOf = (kind: number): string => `${String.fromCharCode(97 + (kind % 26))}${kind >= 26 ? 'x' : 'y'}`;

function page(number: number, count: number): string {
  const kind = number % kinds;
  const links = Array.from({ length: linksEach }, (_, index) => (number * linksEach + index + 1) % count);
  const parts = Array.from(
    { length: 1 + (kind % 8) },
    (_, index) => `<section class="k${kind}-${index}"><p>Text ${number}</p></section>`,
  );
  const form = kind % 5 === 0 ? `<form action="/part-${wordOf(kind)}/${number}"><input name="q${kind}"></form>` : '';
  return `<h1>Page ${number}</h1>${parts.join('')}${form}<ul>${links.map((to) => `<li><a href="${addressOf(to)}">${to}</a>`).join('')}</ul>`;
}
