import { execFileSync } from 'node:child_process';

/** Directives of server-side includes as Apache reads them: those that set a variable, put one out, or include nothing. */
export function withServerIncludes(page: string): string {
  const variables = new Map<string, string>();
  return page.replace(/<!--#(\w+)((?:\s+\w+="[^"]*")*)\s*-->/g, (_whole, command: string, given: string) => {
    const values = new Map([...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
    if (command === 'set') variables.set(values.get('var') ?? '', values.get('value') ?? '');
    if (command === 'set') return '';
    return command === 'echo'
      ? (variables.get(values.get('var') ?? '') ?? '(none)')
      : '[an error occurred while processing this directive]';
  });
}

/** The part of the ESI language that sets variables and puts them out. Source: https://www.w3.org/TR/esi-lang. */
export function withEdgeIncludes(page: string): string {
  const variables = new Map<string, string>();
  return page
    .replace(/<esi:assign name="(\w+)" value="'([^']*)'"\/>/g, (_whole, name: string, value: string) => {
      variables.set(name, value);
      return '';
    })
    .replace(/<esi:vars>(.*?)<\/esi:vars>/gs, (_whole, text: string) =>
      text.replace(/\$\((\w+)\)/g, (_reference, name: string) => variables.get(name) ?? ''),
    );
}

/** Server-side includes that run programs and know no variables. */
export const withPrograms = (page: string): string =>
  page.replace(/<!--#exec cmd="([^"]*)"\s*-->/g, (_whole, command: string) =>
    execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', timeout: 5_000 }),
  );
