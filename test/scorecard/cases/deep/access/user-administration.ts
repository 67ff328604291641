import { type Answer, html, json, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const session = 'f10c7e52a9d4';
const people = [
  { name: 'head', mail: 'head@library.example', role: 'admin' },
  { name: 'ivo', mail: 'ivo@library.example', role: 'reader' },
  { name: 'jule', mail: 'jule@library.example', role: 'reader' },
];
const rows = people.map(({ name, mail, role }) => `<tr><td>${name}</td><td>${mail}</td><td>${role}</td></tr>`);
const [member, refused] = ['<p>Signed in as ivo</p>', html('<h1>For the staff</h1>', 403)];

/** A library whose member is led to no page of its administration. */
const caseOf = (name: string, page: { path: string; answer: Answer; robots?: string; script?: string }): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startSite(({ path, cookies }) => {
      const isMember = cookies.card === session;
      if (path === '/') return html('<h1>Library</h1><script src="/main.js"></script>');
      if (path === '/main.js') return { headers: { 'content-type': 'text/javascript' }, body: page.script ?? '' };
      if (path === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: page.robots ?? '' };
      if (path === '/card') return isMember ? html(member) : refused;
      if (path !== page.path) return undefined;
      return isMember && variant === 'vulnerable' ? page.answer : refused;
    });
    const identity = { name: 'A', cookies: { card: session }, checkPath: '/card', marker: 'Signed in as ivo' };
    return { ...site, options: { depth: 'deep', identities: [identity], startPaths: ['/card'] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('readers at a usual address', {
    path: '/admin/users',
    answer: html(`<h1>Readers</h1><table>${rows.join('')}</table>`),
  }),
  caseOf('interface that a script names', {
    path: '/api/admin/readers',
    answer: json(people),
    script: 'fetch("/api/admin/readers").then(show);',
  }),
  caseOf('settings that robots.txt names', {
    path: '/administration/settings',
    robots: 'User-agent: *\nDisallow: /administration/settings\n',
    answer: html(
      '<h1>Settings</h1><form method="post"><input name="site_name"><input name="smtp_host"><input name="timezone"><button>Save</button></form>',
    ),
  }),
];
