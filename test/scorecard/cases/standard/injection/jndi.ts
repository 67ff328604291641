import { connect } from 'node:net';
import express, { type Request } from 'express';
import type { ScoreCase } from '../../../case.ts';
import { calledBack } from '../../../sites/called-back.ts';
import { startApp } from '../../../sites/express.ts';

/** As the logger of Java evaluated what it wrote: lookups from the inside out. */
export function evaluated(text: string): string {
  const next = text.replace(/\$\{([^${}]*)\}/g, (_, lookup: string) => {
    const [, kind = '', rest = ''] = /^(\w*):(.*)$/s.exec(lookup) ?? [];
    if (kind === 'lower') return rest.toLowerCase();
    if (kind === 'jndi') askDirectory(rest);
    return '';
  });
  return next === text ? text : evaluated(next);
}

/** A bind and a search, as the directory client of Java sends them. Source: RFC 4511 §4.2, §4.5. */
function askDirectory(address: string): void {
  const url = /^ldap:/.test(address) ? URL.parse(address.replace('ldap:', 'http:')) : undefined;
  if (!url) return;
  const name = Buffer.from(decodeURIComponent(url.pathname.slice(1)));
  const bind = Buffer.from([0x30, 12, 2, 1, 1, 0x60, 7, 2, 1, 3, 4, 0, 0x80, 0]);
  const rest = Buffer.from([0x0a, 1, 0, 0x0a, 1, 3, 2, 1, 0, 2, 1, 0, 1, 1, 0, 0x87, 1, 0x61, 0x30, 0]);
  const search = Buffer.concat([Buffer.from([4, name.length]), name, rest]);
  const socket = connect(Number(url.port) || 389, url.hostname, () => socket.write(bind));
  socket.setTimeout(2_000, () => socket.destroy());
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.write(Buffer.concat([Buffer.from([0x30, 5 + search.length, 2, 1, 2, 0x63, search.length]), search]));
    socket.once('data', () => socket.end());
  });
}

const site = (name: string, logged: (request: Request) => string | undefined): ScoreCase => ({
  name,
  start: async (variant) => {
    const app = express().disable('x-powered-by');
    app.use(express.urlencoded({ extended: false }), (request, _response, next) => {
      const text = logged(request);
      if (text !== undefined && variant === 'vulnerable') evaluated(text);
      next();
    });
    app.get('/', (_request, response) =>
      response.send('<h1>Depot</h1><form action="/item"><input name="code"><button>Find</button></form>'),
    );
    app.use((_request, response) => response.status(404).send('<h1>HTTP Status 404 – Not Found</h1>'));
    return calledBack(await startApp(app));
  },
});

export const cases: ScoreCase[] = [
  site('depot that logs codes that it does not know', ({ query: { code } }) =>
    typeof code === 'string' ? `no item ${code}` : undefined,
  ),
  site('depot that logs the browser of every visitor', ({ headers }) => headers['user-agent']),
  site('depot that takes the word out of codes before it logs them', ({ query: { code } }) =>
    typeof code === 'string' ? `no item ${code.replaceAll('jndi', '')}` : undefined,
  ),
];
