import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printedBy } from '../../support/programs.ts';
import type { Variant } from '../case.ts';

/** Pages of a PHP application, in a folder of their own. */
function phpFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'php-pages-'));
  writeFileSync(join(folder, 'home.php'), '<?php $title = "Home"; echo "<h1>$title</h1>";');
  writeFileSync(join(folder, 'help.php'), '<?php echo "<h1>Help</h1>";');
  return folder;
}

const table =
  '$pages = ["home.php" => 1, "help.php" => 1, "home" => 1, "help" => 1]; if (!isset($pages[$argv[1]])) { echo "<h1>Not found</h1>"; exit; }';

const php = (code: string, options: string[] = []) => {
  const folder = phpFolder();
  return (variant: Variant) => (value: string) =>
    printedBy(
      'php',
      ...options,
      '-r',
      `chdir(${JSON.stringify(folder)}); ${variant === 'vulnerable' ? '' : table} ${code}`,
      '--',
      value,
    );
};

const addresses = ['-d', 'allow_url_include=1'];

/** PHP applications that include what a value names. */
export const includingShows: Record<string, { link: string; show: ReturnType<typeof php> }> = {
  'PHP that includes a file': { link: '/index.php?page=home.php', show: php('@include($argv[1]);', addresses) },
  'PHP that adds the ending': { link: '/index.php?view=home', show: php('@include($argv[1] . ".php");', addresses) },
  'PHP that takes upward steps out': {
    link: '/show.php?file=help.php',
    show: php('@require_once(str_replace("../", "", $argv[1]));', addresses),
  },
};

const runs = (text: string) => `import sys, urllib.request
name = sys.argv[1]
text = urllib.request.urlopen(name).read() if "://" in name else b"print('<h1>Report</h1>')"
${text}`;

/** A Python application that runs parts of itself, and one that shows their text. */
export const runningShows = (variant: Variant) => (value: string) =>
  printedBy('python3', '-c', runs(variant === 'vulnerable' ? 'exec(text)' : 'print(text)'), value);

/** Those that read what it names, or include files of the machine alone, run nothing of a visitor's. */
export const readingShows: Record<string, (value: string) => Promise<string>> = {
  'that reads a file': php('@readfile($argv[1]);', addresses)('vulnerable'),
  'that includes no addresses': php('@include($argv[1]);')('vulnerable'),
};
