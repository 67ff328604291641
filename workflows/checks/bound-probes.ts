import type { HttpRequest } from '../model/http.ts';
import type { CheckContext } from './contract.ts';

/** The same context, whose instruments refuse once the signal is aborted: a check that was given up sends nothing more. */
export function boundTo(signal: AbortSignal, context: CheckContext): CheckContext {
  const { http, tls, dns, smtp, browser, callbacks, store } = context;
  const bound =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      signal.throwIfAborted();
      return call(...args);
    };
  return {
    ...context,
    signal,
    http: {
      send: bound((request: HttpRequest) => http.send(request)),
      get: bound((url: string, options?: Omit<HttpRequest, 'url' | 'method'>) => http.get(url, options)),
      newJar: () => http.newJar(),
    },
    tls: {
      handshake: bound((request) => tls.handshake(request)),
      presented: bound((server) => tls.presented(server)),
      hello: bound((request) => tls.hello(request)),
      look: bound((server) => tls.look(server)),
    },
    dns: {
      query: bound((name, type) => dns.query(name, type)),
      ask: bound((name, type, server) => dns.ask(name, type, server)),
      validate: bound((name, type) => dns.validate(name, type)),
      transfer: bound((zone, server) => dns.transfer(zone, server)),
    },
    smtp: { look: bound((host) => smtp.look(host)) },
    browser: {
      unavailable: () => browser.unavailable(),
      visit: bound((visit) => browser.visit(visit)),
      explore: bound((exploration) => browser.explore(exploration)),
      signIn: bound((signIn) => browser.signIn(signIn)),
    },
    ...(callbacks && {
      callbacks: { ...callbacks, wait: bound((tokens, waitMs) => callbacks.wait(tokens, waitMs)) },
    }),
    ...(store && {
      async store(identity, request, look) {
        signal.throwIfAborted();
        return store(identity, request, look);
      },
    }),
    as: bound((identity, url) => context.as(identity, url)),
    logIn: bound((identity, jar, url) => context.logIn(identity, jar, url)),
  };
}
