import { setTimeout as sleep } from 'node:timers/promises';
import { openSite, page } from '../workflows/support/site.ts';

const words = ['news', 'shop', 'team', 'jobs', 'help', 'blog', 'press', 'terms', 'legal', 'about', 'home', 'maps'];
const links = words
  .flatMap((word) => words.slice(0, 5).map((other) => `<a href="/${word}/${other}">${word}</a>`))
  .join('');

/** A site whose survey takes seconds, so that there is a middle of a scan. */
export const openSlowSite = (delayMs = 300) =>
  openSite((_request, response) => {
    sleep(delayMs).then(() => page(response, `<h1>Example</h1>${links}`));
  });
