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
const addressOfB = { street: identities.b.street, city: identities.b.city };

export const accessProbes = {
  nullOriginTrusted: readableFrom('null', '/api/products'),
  suffixOriginTrusted: readableFrom('https://evilshop.localhost', '/api/products'),
  anyOriginReadsAccount: readableFrom('https://elsewhere.example', '/api/me'),

  ordersOfOthersReadable: async (_visitor, { customer }) => {
    const answers = [await customer.get('/orders/1042'), await customer.get('/api/orders/1042')];
    return answers.every(({ status, text }) => status === 200 && text.includes('Orchard Rise'));
  },

  invoicesOfOthersReadable: async (_visitor, { customer }) => {
    const { status, text } = await customer.get('/api/invoices/1042');
    return status === 200 && text.includes('Orchard Rise');
  },

  adminApiForAll: async (_visitor, { customer }) => {
    const answers = [await customer.get('/api/admin/users'), await customer.get('/api/admin/orders')];
    return answers.every(({ status, text }) => status === 200 && text.includes('Ben Okafor'));
  },

  roleFromProfile: async (visitor) => {
    // The other probes log in as somebody else, and must not see this.
    await visitor.logIn('b');
    const raised = JSON.parse((await visitor.put('/api/me', { ...addressOfB, role: 'admin' })).text).role;
    await visitor.put('/api/me', { ...addressOfB, role: 'customer' });
    const lowered = JSON.parse((await visitor.get('/api/me')).text).role;
    return raised === 'admin' && lowered === 'customer';
  },

  profileWithoutToken: async (_visitor, { customer }) => {
    const { text } = await customer.get('/account');
    const hasField = /action="\/account"><input type="hidden" name="form_token"/.test(text);
    return !hasField && (await customer.post('/account', { street, city })).status === 303;
  },
} satisfies Record<string, Probe>;
