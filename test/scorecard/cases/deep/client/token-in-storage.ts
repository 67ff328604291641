import { startSite } from '../../../../fixtures/site.ts';
import { type AppDesign, appUsers, bearerOf, keeper, mirror, spa, tokenApp } from '../../../../fixtures/token-app.ts';
import type { ScoreCase } from '../../../case.ts';

/** What the page does with the token: keeps it where every script can read it, or for itself. */
type Keeping = { design: AppDesign; kept: string; forItself: string };

const show = `.then((answer) => answer.json()).then((me) => { document.getElementById('who').textContent = me.name; })`;
const askAs = (token: string) => `fetch('/api/me', { headers: { authorization: 'Bearer ' + ${token} } })${show}`;

const keepings: Record<string, Keeping> = {
  'store of state that is written as JSON in JSON': {
    design: { ...keeper, tokenIn: bearerOf },
    kept: `const state = { auth: JSON.stringify({ user: null, accessToken: await token() }), _persist: '{"version":-1}' };
      localStorage.setItem('persist:root', JSON.stringify(state));
      ${askAs('JSON.parse(JSON.parse(localStorage.getItem("persist:root")).auth).accessToken')}`,
    forItself: `const state = { accessToken: await token() };
      localStorage.setItem('persist:root', JSON.stringify({ auth: '{"user":null}', _persist: '{"version":-1}' }));
      ${askAs('state.accessToken')}`,
  },
  'app that keeps the token for the tab, and sends it in a header of its own': {
    design: { ...spa, login: 'form', tokenIn: ({ headers }) => String(headers['x-access-token'] ?? '') },
    kept: `sessionStorage.setItem('ngStorage-token', JSON.stringify(await token()));
      fetch('/api/me', { headers: { 'X-Access-Token': JSON.parse(sessionStorage.getItem('ngStorage-token')) } })${show}`,
    forItself: `const kept = await token(); sessionStorage.setItem('ngStorage-tab', '1');
      fetch('/api/me', { headers: { 'X-Access-Token': kept } })${show}`,
  },
  'page that writes the identifier of its session into a store': {
    design: mirror,
    kept: `localStorage.setItem('debug', JSON.stringify({ at: Date.now(), session: { id: await token() } }))`,
    forItself: `localStorage.setItem('debug', JSON.stringify({ at: Date.now(), session: { hasOne: Boolean(await token()) } }))`,
  },
};

export const cases: ScoreCase[] = Object.entries(keepings).map(([name, { design, kept, forItself }]) => ({
  name,
  start: async (variant) => {
    const built = { ...design, script: variant === 'vulnerable' ? kept : forItself };
    return { ...(await startSite(tokenApp(built))), options: { identities: appUsers(built) } };
  },
}));
