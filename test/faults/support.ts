import { setTimeout as sleep } from 'node:timers/promises';
import { openSite, page } from '../workflows/support/site.ts';

const words = ['news', 'shop', 'team', 'jobs', 'help', 'blog', 'press', 'terms', 'legal', 'about', 'home', 'maps'];
const paths = words.flatMap((word) => words.slice(0, 2).map((other) => `/${word}/${other}`));
const links = paths.map((path) => `<a href="${path}">${path.slice(1)}</a>`).join('');
const known = new Set(['/', ...paths]);

/** A site whose survey takes seconds, so that there is a middle of a scan. It says at once what is not there. */
export const openSlowSite = (delayMs = 300) =>
  openSite((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (known.has(path)) sleep(delayMs).then(() => page(response, `<h1>Example</h1>${links}`));
    else page(response, '<h1>Not found</h1>', 404);
  });
