import { Client } from './api/client.ts';
import { ScansApi } from './api/scans.ts';
import { ScanProgress } from './progress.ts';
import { type EnvironmentVariables, isUnprotected, readSettings, type Settings } from './settings.ts';
import { Printer, type Stream } from './terminal.ts';

/** What a program has around it. */
export type World = { env: EnvironmentVariables; stdout: Stream; stderr: Stream; signal: AbortSignal };

/** Options of every command. */
export type CommonOptions = { api?: string };

/** What a command works with. */
export type CommandContext = {
  settings: Settings;
  /** Results: standard output. */
  out: Printer;
  /** Everything else: standard error. */
  err: Printer;
  progress: ScanProgress;
  /** @param timeoutMs for all calls together, pauses included */
  api(timeoutMs: number): ScansApi;
  signal: AbortSignal;
};

export function createPrinters({ env, stdout, stderr }: World): { out: Printer; err: Printer } {
  const hasColours = (stream: Stream) => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return { out: new Printer(stdout, hasColours(stdout)), err: new Printer(stderr, hasColours(stderr)) };
}

/** @throws Trouble when the settings are missing or wrong */
export function createContext(world: World, options: CommonOptions): CommandContext {
  const { env, stderr, signal } = world;
  const { out, err } = createPrinters(world);
  const settings = readSettings(env, options.api);
  const isInteractive = stderr.isTTY === true && env.TERM !== 'dumb' && !isSet(env.CI);
  const progress = new ScanProgress(err, isInteractive);
  if (isUnprotected(settings)) err.line('warning: the API key goes to this address unencrypted: use https.');
  return {
    settings,
    out,
    err,
    progress,
    signal,
    api: (timeoutMs) => {
      const deadlineMs = performance.now() + timeoutMs;
      const onPause = (text: string) => progress.note(text);
      return new ScansApi(new Client({ ...settings, signal, deadlineMs, onPause }));
    },
  };
}

/** How pipelines say that they are one: CI=true, CI=1. */
const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
