import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import express, { type Request, type Response } from 'express';

/** What is skipped while an object is merged: names of members. */
export type MergingSite = { kind: 'settings' | 'cart' | 'club' | 'timetable'; skips: string[]; sessions: string[] };

const { kind, skips, sessions } = workerData as MergingSite;

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

function merge(target: Tree, source: Tree): Tree {
  for (const name of Object.keys(source)) {
    if (skips.includes(name)) continue;
    const [own, given] = [target[name], source[name]];
    if (isTree(own) && isTree(given)) merge(own, given);
    else target[name] = given;
  }
  return target;
}

const settings = { theme: 'light', mail: { weekly: true } };
const cart = { note: '', lines: {} };

const page = (
  path: string,
  body: string,
) => `<h1>${kind}</h1><a href="/admin/reports">Reports</a><button id="save">Save</button>
  <script>document.querySelector('#save').onclick = () => fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(${body}) })</script>`;

function settingsApp() {
  const app = express().use(express.json());
  app.get(
    '/',
    (_request: Request, response: Response) =>
      void response.send(page('/api/display', "{ theme: 'dark', mail: { weekly: false } }")),
  );
  app.post('/api/display', (request: Request, response: Response) => void response.json(merge(settings, request.body)));
  return app;
}

/** The body itself is not merged, but one of its objects. */
function cartApp() {
  const app = express().use(express.json());
  app.get(
    '/',
    (_request: Request, response: Response) =>
      void response.send(page('/api/cart', "{ note: 'by bike', lines: { pear: 2 } }")),
  );
  app.post('/api/cart', (request: Request, response: Response) => {
    cart.note = String(request.body.note);
    merge(cart.lines, request.body.lines ?? {});
    response.json({ lines: Object.keys(cart.lines).length });
  });
  return app;
}

/** Everybody is given the page; what its script replaces is shown to members alone, each their own. */
function timetableApp() {
  const own = new Map(
    sessions.map((session) => [session, { shade: 'green', week: { first: 'monday', hours: { from: 8 } } }]),
  );
  const through = (target: Tree, source: Tree): Tree => {
    // Inherited members, too.
    for (const name in source) {
      if (skips.includes(name)) continue;
      const [own, given] = [target[name], source[name]];
      if (isTree(own) && isTree(given)) through(own, given);
      else target[name] = given;
    }
    return target;
  };
  const app = express().use(express.json());
  app.get(
    '/',
    (_request: Request, response: Response) =>
      void response.send(`<h1>Timetable</h1><input aria-label="Shade" value="green"><button id="keep">Keep</button><p id="mine"></p><script>
        const send = (method, body) => fetch('/api/timetable', { method, headers: { 'content-type': 'application/json' }, body });
        document.querySelector('#keep').onclick = () => send('PATCH', JSON.stringify({ shade: document.querySelector('input').value, week: { first: 'monday' } }));
        send('GET').then(async (answer) => { document.querySelector('#mine').textContent = answer.ok ? 'Your timetable is ' + (await answer.json()).shade : ''; });
      </script>`),
  );
  const route = app.route('/api/timetable');
  const memberOf = (request: Request) => own.get(/member=([\w-]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '');
  route.get((request: Request, response: Response) => {
    const member = memberOf(request);
    response.status(member ? 200 : 401).json(member ?? { error: 'Members only' });
  });
  route.patch((request: Request, response: Response) => {
    const member = memberOf(request);
    response.status(member ? 200 : 401).json(member ? through(member, request.body) : { error: 'Members only' });
  });
  return app;
}

/** No framework: what cannot be parsed is always answered with 400. */
const clubServer = createServer(async (request, response) => {
  const answer = (status: number, text: string, type = 'text/html') =>
    response.writeHead(status, { 'content-type': type, 'x-powered-by': 'Express' }).end(text);
  if (request.url === '/') return answer(200, page('/api/preferences', "{ language: 'en' }"));
  if (request.url === '/admin/reports') {
    const visitor: { isAdmin?: boolean } = {};
    return visitor.isAdmin
      ? answer(200, '<h1>Reports</h1><p>1,204 members, 31 left this year</p>')
      : answer(403, 'Forbidden');
  }
  if (request.url !== '/api/preferences') return answer(404, 'Cannot GET');
  try {
    const sent = JSON.parse(Buffer.concat(await request.toArray()).toString());
    return answer(200, JSON.stringify(merge({ language: 'en' }, sent)), 'application/json');
  } catch {
    return answer(400, '{"error":"not JSON"}', 'application/json');
  }
});

const apps = { settings: settingsApp, cart: cartApp, timetable: timetableApp };
const server = kind === 'club' ? clubServer : createServer(apps[kind]());
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()));
