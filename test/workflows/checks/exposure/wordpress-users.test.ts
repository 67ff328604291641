import { wordpressUsers } from '../../../../workflows/checks/exposure/wordpress-users.check.ts';
import { wordpressSamples } from '../../../fixtures/exposed/special.ts';
import { html, json, redirect } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(wordpressUsers, wordpressSamples, {
  hasLookalikes: false,
  clean: {
    'answers its API only to who is logged in': ({ path }) =>
      path.startsWith('/wp-json')
        ? json({ code: 'rest_user_cannot_view', data: { status: 401 } }, 401)
        : html('<script src="/wp-content/a.js"></script>'),
    'answers any name with a list': ({ path }) =>
      path.startsWith('/wp-json')
        ? json([{ id: 1, slug: 'a', _links: { self: [{ href: '/wp/v2/users/1' }] } }])
        : html('<script src="/wp-content/a.js"></script>'),
    'leads every author to the same page': ({ query }) => (query.has('author') ? redirect('/author/team/') : html('x')),
    'has no users with posts': ({ path }) => (path.startsWith('/wp-json') ? json([]) : html('x')),
  },
}).run();
