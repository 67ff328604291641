import type { Probe } from './probe.ts';

const header =
  (name: string, isWeak: (value: string | undefined) => boolean): Probe =>
  async (visitor) => {
    const value = (await visitor.get('/')).headers[name];
    return isWeak(value === undefined ? undefined : String(value));
  };

const isAbsent = (value: string | undefined) => value === undefined;

export const headerProbes = {
  noStrictTransport: header('strict-transport-security', isAbsent),
  inlineScriptsAllowed: header('content-security-policy', (value = '') => /script-src[^;]*'unsafe-inline'/.test(value)),
  typesGuessed: header('x-content-type-options', isAbsent),
  referrerToAll: header('referrer-policy', (value) => value === 'unsafe-url'),
  versionsNamed: header('server', (value = '') => /Node\.js\/\d/.test(value)),

  framingAllowed: async (visitor) => {
    const { headers } = await visitor.get('/');
    return !('x-frame-options' in headers) && !/frame-ancestors/.test(String(headers['content-security-policy']));
  },

  noIsolation: async (visitor) => {
    const { headers } = await visitor.get('/');
    const names = ['permissions-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'];
    return names.every((name) => !(name in headers));
  },

  privatePagesCacheable: async (_visitor, { customer }) => {
    return (await customer.get('/account')).headers['cache-control'] !== 'no-store';
  },
} satisfies Record<string, Probe>;
