import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSameAccount } from '../../../workflows/login/account.ts';
import { cookieSessions, dora, emil, people } from '../../fixtures/logins/people.ts';
import { type Handler, html, redirect } from '../../fixtures/site.ts';
import { onStage, type Stage } from './stage.ts';

/** What a site says of who is logged in, on its start page and on the profile that this leads to. */
type Design = { start: (name: string) => string; profile: (name: string) => string };

const loginForm =
  '<form method="post" action="/login"><input name="username"><input type="password" name="password"><button>Sign in</button></form>';
const articles = Array.from(
  { length: 80 },
  (_, index) => `<li>${'oak ash elm fir'.split(' ')[index % 4]}-${index}</li>`,
);
const members = `<ul>${articles.join('')}</ul><a href="/logout">Log out</a><a href="/my-account">My account</a>`;

/** A site whose pages are long and alike for all members, who log in by name or address. */
function forum({ start, profile }: Design): Handler {
  const { open, of } = cookieSessions();
  return (request) => {
    if (request.method === 'POST' && request.path === '/login') {
      const fields = new URLSearchParams(request.body);
      const typed = fields.get('username') ?? '';
      const name = Object.keys(people).find((each) => each === typed || people[each]?.mail === typed) ?? '';
      if (people[name]?.password !== fields.get('password')) return html(`<p>Wrong password</p>${loginForm}`, 401);
      return { ...redirect('/'), headers: { location: '/', 'set-cookie': open(name) } };
    }
    const name = of(request);
    if (request.path === '/')
      return html(name === undefined ? `<h1>Forum</h1>${loginForm}` : `${start(name)}${members}`);
    if (request.path === '/my-account')
      return name === undefined ? html('Log in', 403) : html(`${profile(name)}${members}`);
    return undefined;
  };
}

async function areSame({ prove }: Stage, one: typeof dora, other: typeof dora): Promise<boolean> {
  const accounts = [];
  for (const value of [one, other])
    accounts.push((await prove({ case: 'form', value: { url: '/', ...value } })).account);
  const [first, second] = accounts;
  return first !== undefined && second !== undefined && isSameAccount(first, second);
}

const shownNames: Record<string, string> = { dora: 'Dora Kern', emil: 'Emil Kern' };
const byMail = { ...dora, username: people.dora?.mail ?? '' };

const test = suite('accounts of real sites');

const designs: Record<string, Design> = {
  'its user name': { start: (name) => `<p>Hello ${name}</p>`, profile: () => 'Your account' },
  'its full name': { start: (name) => `<p>Hello ${shownNames[name]}</p>`, profile: () => 'Your account' },
  'its address on a second page': {
    start: () => '<p>Hello, see what dora wrote</p>',
    profile: (name) => `<p>${people[name]?.mail}</p>`,
  },
};
for (const [what, design] of Object.entries(designs))
  test(`two accounts of which the pages show nothing but ${what} are two`, () =>
    onStage(forum(design), async (stage) => assert.is(await areSame(stage, dora, emil), false)));

test('one account under its name and its address is one, also where the pages show the time', () => {
  const start = (name: string) => `<p>Hello ${name}</p><p>It is ${new Date().toISOString()}</p>`;
  const design = { start, profile: (name: string) => `<p>${people[name]?.mail}</p>` };
  return onStage(forum(design), async (stage) => assert.is(await areSame(stage, dora, byMail), true));
});

test('one user name is one account, whatever its pages show', () =>
  onStage(forum({ start: () => `Hi ${Math.random()}`, profile: () => '' }), async (stage) => {
    assert.is(await areSame(stage, dora, dora), true);
  }));

test.run();
