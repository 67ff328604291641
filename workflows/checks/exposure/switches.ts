/** Parameters that developers look into a page by, with the value that turns them on. */
export type Switch = { names: readonly string[]; value: '1' | 'true' };

const modes = ['debug', 'test', 'dev', 'verbose', 'internal', 'admin', 'is_admin', 'isAdmin'];
const views = ['source', 'src', 'show_source', 'view_source', 'showsource', 'show', 'config', 'env', 'hidden'];

/** One request each: names of what is shown, and those that turn a mode on, which some programs compare with a word. */
export const switches: readonly Switch[] = [
  { names: [...modes, ...views], value: '1' },
  { names: modes, value: 'true' },
];

export const withOne = ({ names, value }: Switch): Switch[] => names.map((name) => ({ names: [name], value }));

/** @param behind what each name is followed by: with a text of nobody's it is the name of nothing */
export function switchUrl(url: string, { names, value }: Switch, behind = ''): string {
  const { origin, pathname, search } = new URL(url);
  const pairs = names.map((name) => `${name}${behind}=${value}`).join('&');
  return `${origin}${pathname}${search === '' ? '?' : `${search}&`}${pairs}`;
}
