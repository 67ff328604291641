import { type ChildProcess, fork } from 'node:child_process';
import type { Reply, Task } from './judge.ts';

export type Judge = {
  /** One task at a time. A process that hangs or dies answers with an error, and the next task gets a new one. */
  ask(task: Task, timeoutMs: number): Promise<Reply>;
  close(): Promise<void>;
};

/** A judge in a process of its own, which starts with its first task. */
export function createJudge(): Judge {
  let child: ChildProcess | undefined;

  /** It says that it is ready once it has loaded everything, so that no case pays for that. */
  const start = async (): Promise<ChildProcess> => {
    const started = fork(new URL('./judge.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    await new Promise<void>((resolve, reject) => {
      started.once('message', () => resolve());
      started.once('exit', (code) => reject(new Error(`a judge cannot be started: its process ended (${code})`)));
    });
    return started;
  };

  return {
    async ask(task, timeoutMs) {
      child ??= await start();
      return replyOf(child, task, timeoutMs);
    },
    async close() {
      const last = child;
      if (!last) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      last.disconnect();
      await ended;
    },
  };
}

function replyOf(child: ChildProcess, task: Task, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const finish = (reply: Reply) => {
      clearTimeout(timer);
      child.off('message', finish).off('exit', onExit);
      resolve(reply);
    };
    const onExit = (code: number | null, signal: string | null) =>
      finish({ error: isLate ? `did not end within ${timeoutMs / 1000} s` : `its process ended (${signal ?? code})` });
    child.once('message', finish).once('exit', onExit);
    child.send(task);
  });
}
