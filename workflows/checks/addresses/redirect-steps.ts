import { type BrowserAction, claim, type HttpAction, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';

/** The answer leads to the host. */
export const answerStep = (http: HttpAction, host: string, note: string): Step => ({
  http,
  note,
  expect: [
    claim('status', 'one-of', '301|302|303|307|308'),
    claim('location:origin', 'matches', `^https?://${hostPattern(host)}$`, 'A browser would go to the foreign host.'),
  ],
});

/** The page leads to the host, in a browser. */
export const pageStep = (visit: BrowserAction, host: string, note: string): Step => ({
  browser: visit.page === undefined ? { ...visit, url: asHttp(visit.url) } : visit,
  note,
  expect: [claim('browser:url', 'matches', `^http://${hostPattern(host)}/`, 'The browser went to the foreign host.')],
});

/** A host as a pattern, its references to trial values left as they are. */
export const hostPattern = (template: string): string =>
  template
    .split(/(‹[^‹›]*›)/)
    .map((part) => (part.startsWith('‹') ? part : escapePattern(part.toLowerCase())))
    .join('');

/** Browsers show the address of a foreign page that is refused only over http; the weakness does not depend on the scheme. */
export const asHttp = (template: string): string =>
  template
    .replace(encodeURIComponent('https://'), encodeURIComponent('http://'))
    .replace(/^https:\/\/(?=‹)/, 'http://');
