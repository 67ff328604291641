import { exec, execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp, type Talk } from './express.ts';

/** A page whose script holds a conversation, and shows what it is told. */
function pageWith(script: string) {
  const app = express();
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Harbour</h1><ul id="out"></ul><input id="given" value="quay"><button id="ask">Show</button>
      <script>const socket = new WebSocket('ws://' + location.host + '/talk');
      socket.onmessage = ({ data }) => { document.getElementById('out').textContent = data; };
      ${script}</script>`,
    ),
  );
  return app;
}

/** A counter that is sent to everybody all the time. */
function ticking(send: (text: string) => void): () => void {
  let count = Math.floor(Math.random() * 1_000);
  const timer = setInterval(() => {
    count += 1;
    send(JSON.stringify({ boats: count }));
  }, 150);
  return () => clearInterval(timer);
}

/** Commands of plain text, whose argument goes into a shell; a counter runs beside. */
export function startTextTalk(variant: Variant): Promise<ScoreSite> {
  const app = pageWith(`socket.onopen = () => socket.send('lookup quay');
    document.getElementById('ask').onclick = () => socket.send('lookup ' + document.getElementById('given').value);`);
  return startApp(app, {
    converse(send): Talk {
      const end = ticking(send);
      const tell = (_error: unknown, output: string) => send(output === '' ? 'unknown' : output);
      return {
        end,
        hear(text) {
          const [, name] = /^lookup (.*)$/s.exec(text) ?? [];
          if (name === undefined) send('say: lookup NAME');
          else if (variant === 'vulnerable') exec(`echo berth of ${name}`, tell);
          else execFile('echo', ['berth of', name], tell);
        },
      };
    },
  });
}

/** The shell's output is shown to nobody; a counter runs beside. */
export function startBlindTalk(variant: Variant): Promise<ScoreSite> {
  const app = pageWith(`socket.onopen = () => socket.send(JSON.stringify(['validate', { name: 'quay' }]));`);
  return startApp(app, {
    converse(send): Talk {
      const end = ticking(send);
      const tell = () => send(JSON.stringify(['validated', { done: true }]));
      return {
        end,
        hear(text) {
          const name = nameIn(text);
          if (variant === 'vulnerable') exec(`test -n ${name}`, tell);
          else execFile('test', ['-n', name], tell);
        },
      };
    },
  });
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text)[1].name);
  } catch {
    return '';
  }
}

const environment = new nunjucks.Environment(null, { autoescape: true });

/** It greets, wants to be greeted, takes its own pages' connections alone, and closes for all else. */
export function startGreetedTalk(variant: Variant): Promise<ScoreSite> {
  const app = pageWith(`socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', client: 'web' }));
      socket.send(JSON.stringify({ type: 'preview', text: 'Dear Ann' }));
    };`);
  return startApp(app, {
    converse(send, { headers }, close): Talk {
      if (headers.origin !== `http://${headers.host}`) close();
      send(JSON.stringify({ type: 'welcome', version: 3 }));
      let isGreeted = false;
      return {
        hear(sent) {
          const { type, text } = JSON.parse(sent);
          if (type === 'hello') {
            isGreeted = true;
            return send(JSON.stringify({ type: 'ready' }));
          }
          if (!isGreeted) return close();
          return send(JSON.stringify({ card: cardOf(variant, String(text)) }));
        },
      };
    },
  });
}

function cardOf(variant: Variant, text: string): string {
  try {
    return variant === 'vulnerable'
      ? environment.renderString(`Card: ${text}`, {})
      : environment.renderString('Card: {{ text }}', { text });
  } catch {
    return '';
  }
}

const folder = join(import.meta.dirname, '../../fixtures');

/** Files are read by their names; two kinds of messages have one address and one member in common. */
export function startFileTalk(variant: Variant): Promise<ScoreSite> {
  const app = pageWith(`socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'list', name: 'all' }));
      socket.send(JSON.stringify({ type: 'read', name: 'site.ts' }));
    };`);
  return startApp(app, {
    converse: (send): Talk => ({
      hear(sent) {
        const { type, name } = JSON.parse(sent);
        if (type === 'list') return send(JSON.stringify({ names: ['site.ts'] }));
        return send(JSON.stringify({ text: fileOf(variant, String(name)) }));
      },
    }),
  });
}

function fileOf(variant: Variant, name: string): string {
  try {
    if (variant === 'patched' && !/^[\w-]+\.ts$/.test(name)) return '';
    return readFileSync(`${folder}/${name}`, 'utf8').slice(0, 2_000);
  } catch {
    return '';
  }
}

/** What answers, and has no weakness, whatever it looks like. */
export const decoys = {
  /** All that is said is told to all, as it is. */
  chat: (): Promise<ScoreSite> => {
    const rooms = new Set<(text: string) => void>();
    const app = pageWith(`socket.onopen = () => socket.send(JSON.stringify({ type: 'chat', text: 'good morning' }));`);
    return startApp(app, {
      options: { depth: 'deep', writes: 'create' },
      converse(send): Talk {
        rooms.add(send);
        return {
          end: () => rooms.delete(send),
          hear: (text) => {
            for (const tell of rooms) tell(text);
          },
        };
      },
    });
  },
  /** Anything is answered with something else each time. */
  random: (): Promise<ScoreSite> =>
    startApp(pageWith(`socket.onopen = () => socket.send(JSON.stringify({ type: 'search', text: 'quay' }));`), {
      converse: (send): Talk => ({
        hear() {
          const count = Math.ceil(Math.random() * 4);
          for (let index = 0; index < count; index += 1)
            send(JSON.stringify({ rows: Array.from({ length: count }, () => Math.random().toString(36)) }));
        },
      }),
    }),
  /** Nothing but a counter. */
  counter: (): Promise<ScoreSite> =>
    startApp(pageWith(`socket.onopen = () => socket.send(JSON.stringify({ type: 'get', topic: 'boats' }));`), {
      converse: (send): Talk => ({ end: ticking(send), hear: () => {} }),
    }),
};
