import type { ScoreCase } from '../../../case.ts';
import { rawAnswer, startRaw } from '../../../sites/raw.ts';

const page = rawAnswer('200 OK', ['Content-Type: text/html'], '<h1>It works!</h1>');

/** As Apache answers while `TraceEnable` is on. */
const apache: ScoreCase = {
  name: 'Apache-like server that repeats the request as it came',
  start: (variant) =>
    startRaw(({ method, head }) => {
      if (method !== 'TRACE') return page;
      return variant === 'vulnerable'
        ? rawAnswer('200 OK', ['Content-Type: message/http', 'Server: Apache'], `${head}\r\n`)
        : rawAnswer('405 Method Not Allowed', ['Allow: GET,POST,OPTIONS,HEAD', 'Content-Type: text/html']);
    }),
};

/** As `HttpServlet.doTrace` writes it: names in lower case, and a type of its own. */
const servlet: ScoreCase = {
  name: 'servlet container that writes the request anew',
  start: (variant) =>
    startRaw(({ method, target, head }) => {
      if (method !== 'TRACE') return page;
      if (variant === 'patched') return rawAnswer('405 ', ['Allow: HEAD, GET, OPTIONS']);
      const lines = head
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
      return rawAnswer('200 ', ['Content-Type: message/http'], [`TRACE ${target} HTTP/1.1`, ...lines].join('\r\n'));
    }),
};

/** A proxy adds what it knows before the application repeats it. The repair is in the proxy, whose refusal shows the line of the request. */
const behindProxy: ScoreCase = {
  name: 'application behind a proxy that adds headers',
  start: (variant) =>
    startRaw(({ method, target, head }) => {
      if (method !== 'TRACE') return page;
      if (variant === 'patched')
        return rawAnswer('200 OK', ['Content-Type: text/html'], `TRACE ${target} is not allowed here.`);
      const forwarded = head.replace('\r\n', '\r\nX-Real-IP: 10.0.0.7\r\nX-Internal-Token: d41d8cd9\r\n');
      return rawAnswer('200 OK', ['Content-Type: message/http'], forwarded);
    }),
};

export const cases: ScoreCase[] = [apache, servlet, behindProxy];
