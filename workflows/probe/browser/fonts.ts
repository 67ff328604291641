import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const families = {
  'DejaVu Sans': ['sans-serif', 'system-ui', 'Arial', 'Helvetica', 'Verdana'],
  'DejaVu Sans Mono': ['monospace', 'Courier New', 'Courier'],
  'DejaVu Serif': ['serif', 'Times New Roman', 'Times', 'Georgia'],
};

/**
 * A browser that finds no font at all ends itself, so it is shown exactly those of one folder: what it can draw never
 * depends on the machine.
 * @param folder with the fonts
 * @param ownFolder of the browser's user, for the configuration and what fontconfig remembers
 * @returns environment for the browser. Source: fonts.conf(5)
 */
export async function fontEnvironment(folder: string, ownFolder: string): Promise<{ FONTCONFIG_FILE: string }> {
  const aliases = Object.entries(families).flatMap(([ours, names]) =>
    names.map(
      (name) => `<alias binding="same"><family>${name}</family><prefer><family>${ours}</family></prefer></alias>`,
    ),
  );
  const file = join(ownFolder, 'fonts.conf');
  await writeFile(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${escaped(folder)}</dir>
<cachedir>${escaped(join(ownFolder, 'fontconfig'))}</cachedir>
${aliases.join('\n')}
</fontconfig>
`,
    { mode: 0o644 },
  );
  return { FONTCONFIG_FILE: file };
}

const escaped = (path: string) => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
