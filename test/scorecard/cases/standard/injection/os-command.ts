import { exec, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import express from 'express';
import { escapeHtml } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startBlindTalk, startTextTalk } from '../../../sites/message-talks.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const program = promisify(execFile);
/** What a command line prints, however it ends. */
const outputOf = async (line: string): Promise<string> => {
  const { stdout } = await promisify(exec)(line, { timeout: 9_000 }).catch((error: { stdout: string }) => error);
  return stdout;
};
const pre = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const plain: ScoreCase = {
  name: 'page that looks up a host with a command line',
  start: (variant) =>
    startValuePage({
      link: '/lookup?host=localhost',
      make: async (host) =>
        pre(
          variant === 'vulnerable'
            ? await outputOf(`echo Host: ${host}`)
            : (await program('echo', ['Host:', host])).stdout,
        ),
    }),
};

const quoted: ScoreCase = {
  name: 'page that counts the letters of a name in double quotes',
  start: (variant) =>
    startValuePage({
      link: '/count?name=Ada',
      make: async (name) => {
        const word = variant === 'vulnerable' ? `"${name}"` : `'${name.replaceAll("'", `'\\''`)}'`;
        return pre(await outputOf(`printf '%s' ${word} | tr a-z A-Z; echo`));
      },
    }),
};

const silent: ScoreCase = {
  name: 'page that starts a job and shows nothing of it',
  start: (variant) =>
    startValuePage({
      link: '/jobs?file=report.pdf',
      make: async (file) => {
        if (variant === 'vulnerable') await outputOf(`test -f '${file}'`);
        else await program('test', ['-f', file]).catch(() => undefined);
        return '<p>The job was started.</p>';
      },
    }),
};

/** Two forms send the same field to the same program, and the second of its words runs a command. Signs that join commands, and blanks, are refused. */
const wordedForms: ScoreCase = {
  name: 'harbour office with one program, whose address says which of its forms was sent',
  start: (variant) => {
    const app = express().use(express.urlencoded({ extended: false }));
    const forms = ['beacon', 'depot'].map(
      (chart) =>
        `<form method="post" action="/office?chart=${chart}"><input name="place" value="home"><button>Look</button></form>`,
    );
    app.get('/', (_request, response) => response.send(forms.join('')));
    app.post('/office', async ({ query, body }, response) => {
      const place = String(body.place);
      if (query.chart !== 'depot') return void response.send(place === 'home' ? 'It is lit.' : 'There is none.');
      const isRefused = variant === 'vulnerable' ? /[;&|<> \t]/.test(place) : !/^\w+$/.test(place);
      const isThere = !isRefused && (await promisify(exec)(`test -d /${place}`).then(...both));
      response.send(isThere ? 'It is open.' : 'It is closed.');
    });
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  },
};
const both = [() => true, () => false] as const;

const texts: ScoreCase = { name: 'commands of plain text over a WebSocket that also counts', start: startTextTalk };
const blind: ScoreCase = {
  name: 'messages in JSON whose answer says nothing, beside a counter',
  start: startBlindTalk,
};

export const cases: ScoreCase[] = [plain, quoted, silent, wordedForms, texts, blind];
