import type { Request } from 'express';
import { type Answer, html, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { startLogin } from '../../../sites/login-sites.ts';

const ina = { path: '/form', username: 'ina', password: 'v7-Boje-44' };
const identity = { name: 'ina', checkPath: '/harbour', marker: 'Berths of ina', login: ina };

const caseOf = (
  name: string,
  most: number,
  addressOf: (request: Request) => string | undefined,
  error: { status: number; text: string },
): ScoreCase => ({
  name,
  async start(variant) {
    const failures = new Map<string, number>();
    const site = await startLogin({
      error,
      judge: ({ name, password }, request) => {
        const own = request.socket.remoteAddress ?? '';
        const address = variant === 'patched' ? own : (addressOf(request) ?? own);
        const count = failures.get(address) ?? 0;
        if (count >= most) throw new Error('closed');
        if (name === ina.username && password === ina.password) return ina.username;
        failures.set(address, count + 1);
        return undefined;
      },
    });
    return { ...site, options: { ...site.options, depth: 'deep', identities: [identity] } };
  },
});

const lockerForm = '<form method="post"><input name="pin" maxlength="4"><button>Open</button></form>';

export const cases: ScoreCase[] = [
  caseOf('limit that counts by what Express takes for the address', 5, trustedAddress, {
    status: 429,
    text: 'Too many requests',
  }),
  caseOf(
    'limit that reads the header of another proxy, and says so with 200',
    8,
    (request) => request.get('x-real-ip'),
    {
      status: 200,
      text: 'Too many attempts. Come back in ten minutes.',
    },
  ),
  {
    name: 'locker that counts wrong PINs by the last address of a list',
    async start(variant) {
      const wrong = new Map<string, number>();
      const site = await startSite(({ method, path, headers }): Answer | undefined => {
        if (path === '/') return html('<h1>Lockers</h1><a href="/locker">Yours</a>');
        if (path !== '/locker') return undefined;
        if (method !== 'POST') return html(lockerForm);
        const named = String(headers['x-forwarded-for'] ?? '');
        const from = variant === 'patched' ? '' : (named.split(',').at(-1)?.trim() ?? '');
        const count = wrong.get(from) ?? 0;
        if (count >= 4) return html('<p>Too many attempts: closed for today.</p>', 403);
        wrong.set(from, count + 1);
        return html(`<p>Wrong PIN.</p>${lockerForm}`, 403);
      });
      return { ...site, options: { depth: 'deep' } };
    },
  },
];

/** As an application does that says `trust proxy` to everybody. Source: Express guide "Behind proxies". */
function trustedAddress(request: Request): string | undefined {
  request.app.set('trust proxy', true);
  return request.ip;
}
