import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { further } from '../../support/further.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const echoes = suite('pages below a program');

const menu = ['a', 'b', 'c', 'd', 'e'].map((name) => `<a href="${name}/more">${name}</a>`).join('');
const page = (name: string) => `<title>${name}</title><h1>${name}</h1>${menu}`;
const form = '<form method="post"><textarea name="note"></textarea><button>Keep</button></form>';

async function surveyed(below: Site, { isRoot = false } = {}) {
  const surface = await surveyOf((path, url) =>
    path === '/' && !isRoot ? '<a href="/book/">Book</a><a href="/book/list">List</a>' : below(path, url, {}),
  );
  return {
    forms: surface.forms.map(({ action }) => new URL(action).pathname).sort(),
    pages: surface.pages.length,
    paths: surface.pages.map(({ url }) => new URL(url).pathname),
    inputs: surface.inputs.map(({ url }) => new URL(url).pathname),
    alike: surface.omitted.filter(({ code }) => code === 'alike').reduce((sum, { count }) => sum + count, 0),
  };
}

echoes('are one page where a program answers whatever stands behind its address, though its list grows', async () => {
  let notes = '';
  const { forms, pages, alike } = await surveyed((path) => {
    if (!path.startsWith('/book')) return { status: 404 };
    notes += path.length > 6 ? '<p>one more note</p><p>and a further one</p>'.slice(0, 20) : '';
    return page('Book') + notes + form;
  });
  assert.equal(forms, ['/book/']);
  assert.ok(pages < 6, String(pages));
  assert.ok(alike > 0);
});

echoes(
  'are one page where it prints its own address, in a form, its text and, without its beginning, a script',
  async () => {
    const { forms, pages } = await surveyed((path) => {
      const script = `<script>const list = '${path.slice(5)}/list'</script>`;
      const own = `<p>Asked for ${path}.</p><form method="post" action="${path}"><textarea name="note"></textarea></form>${script}`;
      return path.startsWith('/book') ? page('Book') + own : { status: 404 };
    });
    assert.equal(forms, ['/book/']);
    assert.ok(pages < 6, String(pages));
  },
);

echoes('are one page where it links to numbers below itself, and have no parameters of their own', async () => {
  const { pages, inputs } = await surveyed((path) => {
    const links = '<a href="5/more?show=all">5</a><a href="v2/list?show=all">2</a>';
    return path.startsWith('/book') ? `${page('Book')}<p>Asked for ${path}.</p>${links}` : { status: 404 };
  });
  assert.equal(inputs, []);
  assert.ok(pages < 6, String(pages));
});

echoes('are all read where each has a program of its own, however alike they are', async () => {
  const known = ['/book/', '/book/a/more', '/book/b/more'];
  const { forms } = await surveyed((path) => (known.includes(path) ? page('Book') + form : { status: 404 }));
  assert.equal(forms, [...known].sort());
});

further(echoes)('are all read where a number or a name decides what is shown', async () => {
  const { forms } = await surveyed((path) =>
    path.startsWith('/book') ? `${page('Book')}<p>${path.replace(/\W/g, ' of ')}</p>${form}` : { status: 404 },
  );
  assert.ok(forms.length > 5, String(forms));
});

echoes('are all read where a number alone is all that they show', async () => {
  const { inputs } = await surveyed((path) => {
    const links = '<a href="/book/list/5?of=a">x</a><a href="/book/list/7?of=a">y</a>';
    const [, number = '0'] = /\/(\d+)$/.exec(path) ?? [];
    return path.startsWith('/book') ? `${page('Book')}<p>${number}</p>${links}` : { status: 404 };
  });
  assert.ok(inputs.includes('/book/list/5'), inputs.join());
});

/** A site whose start page has links that are relative, a form of its own, and one that leads to nothing. */
const start = `${page('Start').replaceAll('href="', 'href="tasks/')}<a href="/etc/hosts">Hosts</a>${form}`;
const tasks = (path: string) => /^\/tasks\/[a-e]\/more$/.test(path) && `${page(path.slice(7, 8))}${form}`;

echoes('of the start page are one page where it is shown for whatever is not there', async () => {
  const { forms, paths } = await surveyed((path) => tasks(path) || start, { isRoot: true });
  assert.equal(forms, ['/', ...['a', 'b', 'c', 'd', 'e'].map((name) => `/tasks/${name}/more`)]);
  assert.not(
    paths.some((path) => path.startsWith('/etc/')),
    paths.join(' '),
  );
});

echoes('of the start page are read where each has a program of its own', async () => {
  const { forms } = await surveyed(
    (path) => tasks(path) || (['/', '/etc/hosts'].includes(path) ? start : { status: 404 }),
    { isRoot: true },
  );
  assert.ok(forms.includes('/etc/hosts'), forms.join(' '));
});

echoes.run();
