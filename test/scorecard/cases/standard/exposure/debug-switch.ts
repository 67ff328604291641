import { html, json, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const source = '<code>&lt;?php<br>$user = $_GET["user"];<br>include "lib.php";<br>?&gt;</code>';
const settings = { ENVIRONMENT: 'live', DB_PASSWORD: 'kx82-jdP-31', SECRET_KEY: 'hx-93kdls-923jf' };
const sums = '<a href="/sums?of=3">Sums</a>';

const ofSettings: ScoreCase = {
  name: 'a mode for developers that answers with the settings',
  start: (variant) =>
    startSite(({ path, query }) => {
      if (path === '/' && variant === 'vulnerable' && ['1', 'true'].includes(query.get('debug') ?? ''))
        return json(settings);
      return path === '/' ? html(`<h1>Weather</h1>${sums}`) : path === '/sums' ? html('<p>6</p>') : undefined;
    }),
};

const ofSource: ScoreCase = {
  name: 'a page that shows its source code to whoever asks for it',
  start: (variant) =>
    startSite(({ path, query }) => {
      if (path === '/sums') return html('<p>6</p>');
      if (path !== '/') return undefined;
      return html(`<h1>Guess</h1>${variant === 'vulnerable' && query.has('source') ? source : sums}`);
    }),
};

const ofPeople: ScoreCase = {
  name: 'a page further on that shows the list of an administrator by a flag',
  start: (variant) =>
    startSite(({ path, query }) => {
      if (path === '/') return html(`<h1>Choir</h1>${sums}`);
      const isShown = variant === 'vulnerable' && query.get('admin') === 'true';
      return path === '/sums'
        ? html(`<h2>Members</h2><p>${isShown ? 'ina@choir.example' : '14 members'}</p>`)
        : undefined;
    }),
};

export const cases: ScoreCase[] = [ofSettings, ofSource, ofPeople];
