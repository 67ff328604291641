import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from './html.ts';

/** The page that nginx makes of a folder with `autoindex on`. */
export async function folderList(root: string, name: string): Promise<Buffer> {
  const files = (await readdir(join(root, name))).sort();
  const lines = await Promise.all(
    files.map(async (file) => {
      const { size, mtime } = await stat(join(root, name, file));
      const padding = ' '.repeat(Math.max(1, 51 - file.length));
      return html`<a href="${encodeURIComponent(file)}">${file}</a>${padding}${stamp(mtime)} ${String(size).padStart(19)}\n`;
    }),
  );
  const page = html`<html>
<head><title>Index of /${name}/</title></head>
<body>
<h1>Index of /${name}/</h1><hr><pre><a href="../">../</a>
${lines}</pre><hr></body>
</html>
`;
  return Buffer.from(page.text);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number) => String(value).padStart(2, '0');

/** "09-Jan-2026 08:30" */
const stamp = (time: Date): string =>
  `${two(time.getUTCDate())}-${months[time.getUTCMonth()]}-${time.getUTCFullYear()} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
