import { identities } from '../../../../dev/demo/identities.ts';
import type { Probe } from './probe.ts';

const readableFrom =
  (origin: string, path: string): Probe =>
  async (visitor) => {
    const { headers } = await visitor.get(path, { origin });
    const allowed = headers['access-control-allow-origin'];
    return allowed === origin && headers['access-control-allow-credentials'] === 'true';
  };

const { street, city } = identities.a;

export const accessProbes = {
  nullOriginTrusted: readableFrom('null', '/api/products'),
  suffixOriginTrusted: readableFrom('https://evilshop.localhost', '/api/products'),
  anyOriginReadsAccount: readableFrom('https://elsewhere.example', '/api/me'),

  ordersOfOthersReadable: async (visitor) => {
    await visitor.logIn('a');
    const answers = [await visitor.get('/orders/1042'), await visitor.get('/api/orders/1042')];
    return answers.every(({ status, text }) => status === 200 && text.includes('Orchard Rise'));
  },

  invoicesOfOthersReadable: async (visitor) => {
    await visitor.logIn('a');
    const { status, text } = await visitor.get('/api/invoices/1042');
    return status === 200 && text.includes('Orchard Rise');
  },

  adminApiForAll: async (visitor) => {
    await visitor.logIn('a');
    const answers = [await visitor.get('/api/admin/users'), await visitor.get('/api/admin/orders')];
    return answers.every(({ status, text }) => status === 200 && text.includes('Ben Okafor'));
  },

  roleFromProfile: async (visitor) => {
    await visitor.logIn('a');
    const raised = JSON.parse((await visitor.put('/api/me', { street, city, role: 'admin' })).text).role;
    await visitor.put('/api/me', { street, city, role: 'customer' });
    const lowered = JSON.parse((await visitor.get('/api/me')).text).role;
    return raised === 'admin' && lowered === 'customer';
  },

  profileWithoutToken: async (visitor) => {
    await visitor.logIn('a');
    const { text } = await visitor.get('/account');
    const hasField = /action="\/account"><input type="hidden" name="form_token"/.test(text);
    return !hasField && (await visitor.post('/account', { street, city })).status === 303;
  },
} satisfies Record<string, Probe>;
