import { serviceDashboard } from '../../../../workflows/checks/exposure/service-dashboard.check.ts';
import { dashboardSamples } from '../../../fixtures/exposed/debug.ts';
import { page, siteOf } from '../../../fixtures/exposed/decoys.ts';
import { productSamples } from '../../../fixtures/exposed/products.ts';
import { json } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

const node = { 'x-powered-by': 'Express' };
const login = '<form method="post"><input name="user"><input name="pass" type="password"></form>';

exposedSuite(serviceDashboard, [...dashboardSamples, ...productSamples], {
  clean: {
    'is about an arena': siteOf({ '/arena': page('Arena of champions', '<a href="/arena/tickets">Tickets</a>') }, node),
    'asks for a login before its queues': siteOf(
      { '/admin/queues': page('Bull Dashboard - login', login), '/queues': page('Bull Dashboard', login) },
      node,
    ),
    'asks for a login before its jobs': siteOf(
      { '/sidekiq': page('Sidekiq', `<a href="/sidekiq/busy">Busy</a>${login}`) },
      { 'x-runtime': '0.1' },
    ),
    'lists applications of a housing cluster': siteOf({
      '/cluster': page('All Applications for a flat in this cluster', '<ol><li>Flat 3</li></ol>'),
    }),
    'has an API with a list of no namespaces': siteOf({
      '/api/v1/namespaces': json({ kind: 'NamespaceList', apiVersion: 'v1', items: [] }),
    }),
    'sells pods': siteOf({ '/pods': json({ kind: 'PodList', items: [{ name: 'espresso', price: 4 }] }) }),
    'has settings, a version and collections of its own': siteOf({
      '/settings': json({ theme: 'dark', version: '4.0.2' }),
      '/api/version': json({ version: '2.9.0', commit: '9be5a16e' }),
      '/collections': json({ status: 'ok', result: [{ name: 'summer' }] }),
      '/config': json({ features: { 'web-submit': true }, version: '1.19.1' }),
      '/instances': json([{ name: 'shop', status: 'UP' }]),
      '/api/v1/info': json({ name: 'shop', os_name: 'any' }),
      '/api/notebook': json({ status: 'OK', body: [{ id: 'n1', title: 'Notes' }] }),
    }),
    'shows visitors its flows, and lets them change none': siteOf({
      '/settings': json({
        httpNodeRoot: '/',
        context: { default: 'memory' },
        editorTheme: {},
        user: { anonymous: true, permissions: 'read' },
      }),
    }),
    'asks for a login before Redis and MongoDB': siteOf(
      { '/redis-commander/': page('Redis Commander', login), '/mongo-express/': page('Mongo Express', login) },
      node,
    ),
  },
}).run();
