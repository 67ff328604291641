import express from 'express';
import { escapeHtml } from '../../fixtures/site.ts';
import { isHere, printedBy } from '../../support/programs.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type Formatting = {
  field: string;
  offered: readonly string[];
  /** Calls the function of this name; throws where there is none. */
  call: (name: string, text: string) => string | Promise<string>;
};

/** A page whose links name the function that changes a text. The mended one takes what it offers. */
function startFormatting(variant: Variant, { field, offered, call }: Formatting): Promise<ScoreSite> {
  const app = express();
  app.get('/', async (request, response) => {
    const [name, text] = [String(request.query[field] ?? offered[0]), String(request.query.text ?? '')];
    const isTaken = variant === 'vulnerable' || offered.includes(name);
    const shown = isTaken ? await Promise.resolve(call(name, text)).catch(() => 'No such format') : 'No such format';
    const links = offered.map((each) => `<a href="/?${field}=${each}&amp;text=hello">${each}</a>`).join(' ');
    response.send(`<nav>${links}</nav><pre>${escapeHtml(shown)}</pre>`);
  });
  return startApp(app);
}

const inNode = async (name: string, text: string): Promise<string> => {
  const called: unknown = Reflect.get(globalThis, name);
  if (typeof called !== 'function') throw new Error('no such function');
  return String(called(text));
};
const inPhp = (name: string, text: string): Promise<string> => {
  const guarded = 'if (in_array($argv[1], ["system", "exec", "passthru"])) exit(1);';
  return printedBy('php', '-r', `${guarded} echo call_user_func($argv[1], $argv[2]);`, '--', name, text);
};
const ofPhp = (name: string): Promise<string> => printedBy('php', '-r', 'echo call_user_func($argv[1]);', '--', name);
const inPython = (name: string, text: string): Promise<string> =>
  printedBy('python3', '-c', 'import builtins, sys; print(getattr(builtins, sys.argv[1])(sys.argv[2]))', name, text);

export const functionSites: Record<string, { place: string; start: (variant: Variant) => Promise<ScoreSite> }> = {
  'page of Node that looks its functions up among all': {
    place: 'GET / format',
    start: (variant) =>
      startFormatting(variant, { field: 'format', offered: ['encodeURIComponent', 'escape'], call: inNode }),
  },
  ...(isHere('python3') && {
    'page of Python that calls what is built in': {
      place: 'GET / func',
      start: (variant: Variant) =>
        startFormatting(variant, { field: 'func', offered: ['len', 'ascii', 'repr'], call: inPython }),
    },
  }),
  ...(isHere('php') && {
    'page of PHP that refuses three names': {
      place: 'GET / fn',
      start: (variant: Variant) =>
        startFormatting(variant, { field: 'fn', offered: ['strtoupper', 'ucwords', 'strrev'], call: inPhp }),
    },
    'page of PHP that calls what its address says': {
      place: 'GET / action',
      start: (variant: Variant) =>
        startFormatting(variant, { field: 'action', offered: ['php_sapi_name', 'phpversion'], call: ofPhp }),
    },
  }),
};
