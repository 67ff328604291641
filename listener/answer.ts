import { callbackAnswer } from '../kit/callback-answer.ts';

type ListenerAnswer = { status: number; headers: Record<string, string>; body: string };

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** What shows that a server follows redirects to itself: `/<token>/to/<port>/<path>`. To loopback alone, so it leads nobody else anywhere. */
const toLoopback = /\/to\/(\d{1,5})(\/[\x21-\x7e]{0,512})$/;

/** What is served to whoever asks; of the request nothing but the token's own word is in it. */
export function answerFor(token: string | undefined, path: string): ListenerAnswer {
  if (token === undefined)
    return {
      status: 404,
      headers: plain,
      body: 'This host receives callbacks of security audits. There is nothing else.\n',
    };
  const [, port, rest] = toLoopback.exec(path) ?? [];
  if (port !== undefined && rest !== undefined && Number(port) <= 65_535)
    return { status: 302, headers: { ...plain, location: `http://127.0.0.1:${port}${rest}` }, body: '' };
  return { status: 200, headers: plain, body: `${callbackAnswer(token)}\n` };
}
