import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Shop } from './shop.ts';

export const guides = [
  { file: 'oiled-oak.txt', title: 'Oiled oak', text: 'A cloth, a little oil and an hour, twice a year.' },
  { file: 'paper-cord.txt', title: 'Paper cord seats', text: 'Damp, never wet. They last for decades.' },
  { file: 'wool-covers.txt', title: 'Wool covers', text: 'How they come off, and how they go on again.' },
] as const;

const shopFolder = '/srv/shop';
/** Stands for the file system of the server, so that no file of the real one can be reached. */
const machine = join(import.meta.dirname, 'machine');

/** The text of a guide, by the name of its file. */
export async function readGuide({ weaknesses, siteFolder }: Shop, file: string): Promise<string | undefined> {
  if (!weaknesses.guideByPath && !guides.some((guide) => guide.file === file)) return undefined;
  const path = posix.resolve(shopFolder, 'downloads', file);
  const isOfShop = path.startsWith(`${shopFolder}/`);
  const place = isOfShop ? join(siteFolder, path.slice(shopFolder.length)) : join(machine, path);
  return readFile(place, 'utf8').catch(() => undefined);
}
