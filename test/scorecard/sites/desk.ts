import { randomBytes } from 'node:crypto';
import cors, { type CorsOptions } from 'cors';
import express, { type Request, type Response } from 'express';
import jwt from 'jsonwebtoken';
import type { TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { startApp } from './express.ts';
import { identitiesOf, newPeople, type Person } from './people.ts';

/** What the desk's developer got wrong, and how it carries its tokens. */
export type DeskDesign = {
  /** How a token reaches the API; as a bearer by default. */
  carrier?: 'bearer' | 'cookie' | 'x-access-token';
  /** Attributes of the cookie, when it is one. */
  attributes?: string;
  secret?: string;
  algorithm?: 'HS256' | 'HS512';
  /** How a token is read; with its signature and the one algorithm by default. */
  read?: (token: string, secret: string) => unknown;
  showsAnyTicket?: boolean;
  /** Lists have identifiers alone; what to do with them stands in the bundle. */
  hidesAddresses?: boolean;
  opensAdmin?: boolean;
  /** What a change of the own profile may set; the display name by default. */
  mayChange?: string[];
  cors?: CorsOptions;
  /** Over HTTPS. */
  isSecure?: boolean;
};

const ticketsOf = ({ id }: Person): string[] => [`T${id}A4f09c1`, `T${id}B7e21d8`];

/** A help desk with an empty page, a bundle, and a JSON API whose sessions are JSON Web Tokens. */
export async function startDesk(design: DeskDesign = {}, withAdmin = false): Promise<ScoreSite> {
  const desk = newDesk(design);
  addEntrance(desk);
  addApi(desk);
  const { carrier, people, tokenFor } = desk;
  const withHeader = ({ login: _login, ...identity }: TestIdentity, person?: Person): TestIdentity => ({
    ...identity,
    headers: person ? [['X-Access-Token', tokenFor(person)]] : [],
  });
  const tokenPath = carrier === 'cookie' ? '' : 'data.accessToken';
  const all = identitiesOf(
    {
      path: '/api/auth/login',
      json: { tokenPath },
      checkPath: '/api/users/me',
      markerOf: (name) => `"displayName":"${name}"`,
    },
    { withAdmin },
  );
  // A header of the site's own is given as it is: nothing logs in with it.
  const identities = carrier === 'x-access-token' ? all.map((each, index) => withHeader(each, people[index])) : all;
  return startApp(desk.app, {
    ...(design.isSecure ? { tls: await certificateForShop() } : {}),
    options: { identities },
  });
}

type Desk = ReturnType<typeof newDesk>;

function newDesk(design: DeskDesign) {
  const { carrier = 'bearer', secret = randomBytes(48).toString('base64url'), algorithm = 'HS256' } = design;
  const people = newPeople().map((person) => ({ ...person, displayName: person.name }));
  const read = design.read ?? ((token: string) => jwt.verify(token, secret, { algorithms: [algorithm] }));
  const tokenFor = ({ id, name, role }: Person) =>
    jwt.sign({ sub: String(id), name, role }, secret, { algorithm, expiresIn: '2h' });
  const app = express();
  app.use(express.json());
  if (design.cors) app.use('/api', cors(design.cors));
  const tokenIn = (request: Request) => {
    if (carrier === 'bearer') return /^Bearer (.+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '';
    return carrier === 'cookie'
      ? (/(?:^|; )token=([^;]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '')
      : (request.get('x-access-token') ?? '');
  };
  const userOf = (request: Request) => {
    try {
      const claims = read(tokenIn(request), secret);
      const id = typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
      return people.find((each) => String(each.id) === String(id));
    } catch {
      return undefined;
    }
  };
  return { app, design, carrier, people, tokenFor, userOf };
}

function addEntrance({ app, design, carrier, people, tokenFor }: Desk): void {
  app.get('/', (_request, response) =>
    response.send(
      '<!doctype html><title>Desk</title><div id="app"></div><script src="/assets/index-4f1c.js" type="module"></script>',
    ),
  );
  app.get('/assets/index-4f1c.js', (_request, response) => response.type('js').send(frontEnd));
  app.post('/api/auth/login', (request, response) => {
    const { username, password } = request.body ?? {};
    const person = people.find((each) => each.username === username && each.password === password);
    if (!person) return void response.status(401).json({ message: 'Bad credentials' });
    const token = tokenFor(person);
    if (carrier === 'cookie')
      response
        .append('set-cookie', `token=${token}; ${design.attributes ?? 'Path=/; HttpOnly; SameSite=Strict'}`)
        .json({ user: person.name });
    else response.json({ data: { accessToken: token, user: { name: person.name } } });
  });
}

/** From here on a token is needed. */
function addApi({ app, design, people, userOf }: Desk): void {
  app.use('/api', (request, response, next) =>
    userOf(request) ? next() : response.status(401).json({ message: 'Unauthorized' }),
  );
  const profile = (request: Request, response: Response) => {
    const { id, displayName, mail, role } = userOf(request) ?? {};
    response.json({ id, displayName, email: mail, role });
  };
  app.get('/api/users/me', profile);
  app.patch('/api/users/me', (request, response) => {
    const user = userOf(request);
    for (const name of design.mayChange ?? ['displayName'])
      if (user && name in (request.body ?? {})) Object.assign(user, { [name]: request.body[name] });
    profile(request, response);
  });
  app.get('/api/tickets', (request, response) =>
    response.json({
      items: people
        .filter((each) => each === userOf(request))
        .flatMap(ticketsOf)
        .map((id) => (design.hidesAddresses ? { id } : { id, self: `/api/tickets/${id}` })),
    }),
  );
  app.get('/api/tickets/:id', (request, response) => {
    const { id } = request.params;
    const owner = people.find((each) => ticketsOf(each).includes(id));
    if (!owner || (!design.showsAnyTicket && owner !== userOf(request)))
      return void response.status(404).json({ message: 'No such ticket' });
    response.json({
      id,
      from: { name: owner.name, email: owner.mail, address: owner.street },
      text: `The lamp of ${owner.street} is broken`,
    });
  });
  app.get('/api/admin/users', (request, response) => {
    if (!design.opensAdmin && userOf(request)?.role !== 'admin')
      return void response.status(403).json({ message: 'Forbidden' });
    response.json(people.map(({ id, name, mail, street }) => ({ id, name, mail, street })));
  });
}

const frontEnd = `const api = (path) => fetch(path, { headers: { authorization: 'Bearer ' + sessionStorage.getItem('t') } });
export const openTicket = (id) => api('/api/tickets/' + id);
export const routes = { me: '/api/users/me', tickets: '/api/tickets', login: '/api/auth/login', admin: '/api/admin/users' };
`;
