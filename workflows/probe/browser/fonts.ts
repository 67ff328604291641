const families = {
  'DejaVu Sans': ['sans-serif', 'system-ui', 'Arial', 'Helvetica', 'Verdana'],
  'DejaVu Sans Mono': ['monospace', 'Courier New', 'Courier'],
  'DejaVu Serif': ['serif', 'Times New Roman', 'Times', 'Georgia'],
};

/**
 * Configuration by which a browser sees exactly the fonts of one folder: one that finds no font at all ends itself, and
 * what it can draw must not depend on the machine. What fontconfig remembers goes to the cache of the browser's user.
 * Source: fonts.conf(5).
 */
export function fontConfig(folder: string): string {
  const aliases = Object.entries(families).flatMap(([ours, names]) =>
    names.map(
      (name) => `<alias binding="same"><family>${name}</family><prefer><family>${ours}</family></prefer></alias>`,
    ),
  );
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
${aliases.join('\n')}
</fontconfig>
`;
}
