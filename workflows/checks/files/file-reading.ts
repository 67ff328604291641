import type { FactInput } from '../../model/fact.ts';
import type { InputSurface } from '../../model/surface.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inputUrl } from '../inputs/input-url.ts';
import type { Spelling } from './traversal-payloads.ts';

/** What is given to steps that read other files: the address of one, with its path and how that writes a slash. */
export function fileReadingOf(input: InputSurface, { spell, encoded, file }: Spelling): FactInput[] {
  // Encoded content and other systems have paths and texts of their own.
  if (input.method !== 'GET' || file !== undefined) return [];
  const address = (path: string) => (encoded ? inputUrl(input, spell(path)) : inputAction(input, spell(path)).url);
  const slash = /q1(.*)q2/.exec(spell('q1/q2'))?.[1];
  const url = address('‹path›');
  if (slash === undefined || url.replace('‹path›', '').includes('‹')) return [];
  const subject = `${input.route} ${input.in} ${input.parameter}`;
  return [{ kind: 'file-reading', subject, attributes: { url, slash: encoded ? slash : encodeURIComponent(slash) } }];
}

/** Settings and programs as they are called in the folder that a server was started in, whatever that is. Source: proc(5). */
const settingsFiles = [
  '.env',
  'config.py',
  'app.py',
  'settings.py',
  'server.js',
  'app.js',
  'index.js',
  'config.js',
  'config.json',
  'config.php',
].map((name) => `proc/self/cwd/${name}`);

/** Addresses at which such a reading gives files of settings, the likeliest first. */
export const settingsAddresses = ({ attributes: { url = '', slash = '/' } }: Pick<FactInput, 'attributes'>): string[] =>
  settingsFiles.map((path) => url.replace('‹path›', () => path.replaceAll('/', slash)));
