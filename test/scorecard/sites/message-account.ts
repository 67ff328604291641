import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import express from 'express';
import { ec, makeCertificate } from '../../fixtures/certificates.ts';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type MessageAccount = {
  /** Of the cookie of a session. */
  attributes: string;
  /** What pages send when the connection is open. */
  message: Record<string, unknown>;
  /** Whether the handshake is looked at. */
  trusts: (origin: string, host: string) => boolean;
  /** The message has a token of the user, which the page is given. */
  hasToken?: boolean;
  /** Everybody is sent the same. */
  isPublic?: boolean;
};

const people: Record<string, { password: string; mail: string; berth: string }> = {
  ann: { password: 'correct-horse-5', mail: 'ann.holm@northwind.example', berth: 'Berth 14 at Ropewalk Pier' },
  bob: { password: 'wrong-donkey-8', mail: 'bob.brandt@northwind.example', berth: 'Berth 3 at Mill Quay' },
};

/** A harbour whose page asks for what is the user's over a WebSocket. */
export async function startMessageAccount(design: MessageAccount): Promise<ScoreSite> {
  const sessions = new Map<string, string>();
  const key = randomBytes(16);
  const tokenOf = (name: string) => createHmac('sha256', key).update(name).digest('hex').slice(0, 32);
  const userOf = ({ headers }: IncomingMessage) =>
    sessions.get(/(?:^|; )sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '');
  const app = express();
  app.use(express.urlencoded());
  app.get('/', (_request, response) => response.send('<h1>Harbour</h1><a href="/account">My berth</a>'));
  app.get('/login', (_request, response) =>
    response.send('<form method="post"><input name="username"><input type="password" name="password"></form>'),
  );
  app.post('/login', ({ body }, response) => {
    if (people[body.username]?.password !== body.password) return response.status(401).send('wrong');
    const id = randomBytes(12).toString('hex');
    sessions.set(id, body.username);
    return response.setHeader('Set-Cookie', `sid=${id}; ${design.attributes}`).redirect(303, '/account');
  });
  app.get('/account', (request, response) => {
    const name = userOf(request);
    if (name === undefined) return response.redirect('/login');
    const message = { ...design.message, ...(design.hasToken && { token: tokenOf(name) }) };
    return response.send(
      `<h1>Signed in as ${name}</h1><pre id="mine"></pre><script>
      const socket = new WebSocket('wss://' + location.host + '/live');
      socket.onopen = () => socket.send('${JSON.stringify(message)}');
      socket.onmessage = ({ data }) => { document.getElementById('mine').textContent = data; };</script>`,
    );
  });
  const answerText = (text: string, handshake: IncomingMessage): string => {
    const { origin = '', host = '' } = handshake.headers;
    const name = userOf(handshake);
    if (design.isPublic) return JSON.stringify({ weather: 'Northwest, force 4, waves of one metre' });
    if (name === undefined || !design.trusts(origin, host)) return JSON.stringify({ error: 'refused' });
    if (design.hasToken && JSON.parse(text).token !== tokenOf(name)) return JSON.stringify({ error: 'token' });
    return JSON.stringify({ name, mail: people[name]?.mail, berth: people[name]?.berth });
  };
  const identities = Object.entries(people).map(([username, { password }], index) => ({
    name: index === 0 ? 'A' : 'B',
    checkPath: '/account',
    marker: 'Signed in',
    login: { path: '/login', username, password },
  }));
  const tls = await makeCertificate({ commonName: 'shop.localhost', key: ec });
  return startApp(app, { tls, answerText, options: { depth: 'deep', identities } });
}
