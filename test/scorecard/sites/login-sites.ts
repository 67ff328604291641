import { randomBytes } from 'node:crypto';
import express, { type Express, type Request } from 'express';
import { startApp } from './express.ts';

/** Who is let in by these credentials; undefined for nobody. What it throws is an error page. */
export type Judge = (
  fields: { name: unknown; password: unknown },
  request: Request,
) => string | undefined | Promise<string | undefined>;

export type LoginSite = {
  judge: Judge;
  /**
   * How the site answers whoever is let in, and others:
   * - `redirect`: a page behind the login, which nobody else is shown
   * - `page`: the answer itself greets
   * - `token`: JSON with a token, or 401
   * - `next`: JSON with the address of the page behind the login, or 401; everybody has a session
   * - `silent`: the same without the address, which another page links to; only who is let in has a session
   */
  style?: 'redirect' | 'page' | 'token' | 'next' | 'silent';
  /** Who is not let in is led to the first page from each address that is none of the login. */
  leadsAway?: true;
  title?: string;
  /** HTML above the form. */
  note?: string;
  /** HTML of each page around the login, whoever looks at it. */
  menu?: string;
  /** HTML of the first page. */
  front?: string;
  /** Answers to what it throws. */
  error?: { status: number; text: string; isShownAfter?: true; leadsTo?: (said: string) => string };
  method?: 'post' | 'get';
};

const form = (title: string, message: string, method: string): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><p>${message}</p><form method=${method} action=/login>
  <input name=name><input type=password name=password><button>Sign in</button></form>`;

const credentials = {
  type: 'object',
  properties: { name: { type: 'string', example: 'ina' }, password: { type: 'string', example: 'secret' } },
};
const description = {
  openapi: '3.0.3',
  info: { title: 'Harbour', version: '1' },
  paths: {
    '/api/login': {
      post: {
        requestBody: { content: { 'application/json': { schema: credentials } } },
        responses: { 200: { description: 'token' } },
      },
    },
  },
};

/** A site with a login of its own. */
function loginApp({
  judge,
  style = 'redirect',
  leadsAway,
  title = 'Harbour',
  note = '',
  menu = '',
  front = '',
  error,
  method = 'post',
}: LoginSite): Express {
  const sessions = new Map<string, string>();
  const app = express().set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true }), express.json());
  app.get('/', (_request, response) =>
    ['token', 'next', 'silent'].includes(style)
      ? response.send(
          `<title>${title}</title><a href=/openapi.json>Interface</a>${style === 'silent' ? ' <a href=/harbour>Berths</a>' : ''}`,
        )
      : response.send(`<title>${title}</title><a href=/form>Sign in</a>${front}<p>${randomBytes(6).toString('hex')}`),
  );
  app.get('/openapi.json', (_request, response) => response.json(description));
  app.get('/form', (request, response) => {
    const said = /\bsaid=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];
    const message = said === undefined ? '' : `<p>${decodeURIComponent(said)}</p>`;
    response.clearCookie('said').send(note + message + form(title, menu, method));
  });
  app.get('/harbour', (request, response) => {
    const who = sessions.get(/\bsid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    if (who === undefined)
      return style === 'silent' && !leadsAway
        ? response.status(401).send('Sign in first')
        : response.redirect(leadsAway ? '/' : '/form');
    return response.send(
      `<title>${title}</title><h1>Berths of ${who}</h1><p>Twelve ships in port</p><a href=/logout>Leave</a>${menu}`,
    );
  });
  app[method](['/login', '/api/login'], async (request, response) => {
    const sent: Record<string, unknown> = method === 'get' ? request.query : (request.body ?? {});
    try {
      const who = await judge({ name: sent.name, password: sent.password }, request);
      if (style === 'token') {
        const token = randomBytes(16).toString('hex');
        return who === undefined
          ? response.status(401).json({ error: 'Wrong name or password' })
          : response.json({ auth: { access_token: token } });
      }
      if (style === 'next') {
        const sid = randomBytes(12).toString('hex');
        if (who !== undefined) sessions.set(sid, who);
        response.cookie('sid', sid);
        return who === undefined
          ? response.status(401).json({ ok: false })
          : response.json({ ok: true, next: '/harbour' });
      }
      if (style === 'silent') {
        if (who === undefined) return response.status(401).json({ ok: false });
        const sid = randomBytes(12).toString('hex');
        sessions.set(sid, who);
        return response.cookie('sid', sid).json({ ok: true });
      }
      if (who === undefined) return response.status(200).send(form(title, `Wrong name or password.${menu}`, method));
      if (style === 'page')
        return response.send(`<title>${title}</title><h1>Welcome, ${who}</h1><p>Twelve ships in port`);
      const sid = randomBytes(12).toString('hex');
      sessions.set(sid, who);
      return response.cookie('sid', sid).redirect('/harbour');
    } catch (thrown) {
      const said = thrown instanceof Error ? thrown.message : '';
      if (error?.leadsTo) return response.status(302).setHeader('Location', error.leadsTo(said)).end();
      if (error?.isShownAfter) return response.cookie('said', said).redirect('/form');
      return response.status(error?.status ?? 500).send(`<h1>${error?.text ?? 'Something went wrong'}</h1><p>${said}`);
    }
  });
  if (leadsAway) app.use((_request, response) => response.redirect('/'));
  return app;
}

export const startLogin = (site: LoginSite) => startApp(loginApp(site));
