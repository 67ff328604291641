import { readFileSync } from 'node:fs';
import { CookieJar } from 'tough-cookie';
import { Agent, request } from 'undici';
import type { Demo } from '../../../dev/demo/demo.ts';
import { type IdentityName, identities } from '../../../dev/demo/identities.ts';

type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  setCookies: string[];
  text: string;
  bytes: Buffer;
};

type Sent = { headers?: Record<string, string>; body?: string };

/** A visitor of the shop over HTTPS, who trusts its authority alone and keeps cookies as a browser does. */
export class Visitor {
  readonly jar = new CookieJar();
  readonly #url: string;
  readonly #caFile: string;
  readonly #agent: Agent;

  constructor({ url, caFile }: Pick<Demo, 'url' | 'caFile'>, agent = trusting(caFile)) {
    this.#url = url;
    this.#caFile = caFile;
    this.#agent = agent;
  }

  /** Somebody else, over the same connections. */
  another(): Visitor {
    return new Visitor({ url: this.#url, caFile: this.#caFile }, this.#agent);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('GET', path, { headers });
  }

  /** Sends JSON, as the shop's own scripts do. */
  put(path: string, body: object): Promise<Answer> {
    return this.#send('PUT', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Posts a form with the token of the page that has it. */
  async submit(page: string, action: string, fields: Record<string, string>): Promise<Answer> {
    const { text } = await this.get(page);
    const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return this.post(action, { form_token: token, ...fields });
  }

  trace(path: string): Promise<Answer> {
    return this.#send('TRACE', path);
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.#send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  logIn(name: IdentityName, next = ''): Promise<Answer> {
    const { email, password } = identities[name];
    return this.submit('/login', '/login', { email, password, next });
  }

  /** The value of the shop's session. */
  async session(): Promise<string> {
    const cookies = await this.jar.getCookies(this.#url);
    return cookies.find(({ key }) => key === 'shop_session')?.value ?? '';
  }

  async setSession(value: string): Promise<void> {
    await this.jar.removeAllCookies();
    await this.jar.setCookie(`shop_session=${value}; Path=/`, this.#url);
  }

  async #send(method: 'GET' | 'POST' | 'PUT' | 'TRACE', path: string, sent: Sent = {}): Promise<Answer> {
    const url = new URL(path, this.#url);
    const cookie = await this.jar.getCookieString(url.href);
    const answer = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: { ...sent.headers, ...(cookie && { cookie }) },
      ...(sent.body !== undefined && { body: sent.body }),
    });
    const setCookies = [answer.headers['set-cookie'] ?? []].flat();
    for (const line of setCookies) await this.jar.setCookie(line, url.href);
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: answer.headers, setCookies, text: bytes.toString(), bytes };
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

function trusting(caFile: string): Agent {
  const ca = readFileSync(caFile, 'utf8');
  return new Agent({
    connect: { ca, lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
}
