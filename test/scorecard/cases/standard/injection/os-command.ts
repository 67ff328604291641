import { exec, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { escapeHtml } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
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

export const cases: ScoreCase[] = [plain, quoted, silent];
