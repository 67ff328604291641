import { escapeHtml } from '../../fixtures/site.ts';
import { isHere, printedBy } from '../../support/programs.ts';
import type { Variant } from '../case.ts';

type Show = (value: string) => string | Promise<string>;

/** As libraries do that let functions travel in JSON: those that call themselves are called while they are read. */
export function revived(text: string): Record<string, unknown> {
  const mark = '_$$ND_FUNC$$_';
  return JSON.parse(text, (_name, value: unknown) =>
    // biome-ignore lint/security/noGlobalEval: it is the weakness that is looked for
    typeof value === 'string' && value.startsWith(mark) ? globalThis.eval(`(${value.slice(mark.length)})`) : value,
  );
}

/** As PHP reads a value in base64, with classes or without, and shows a member. What cannot be shown is left out. */
async function phpShown(variant: Variant, value: string): Promise<string> {
  const classes = variant === 'vulnerable' ? '' : ', ["allowed_classes" => false]';
  const read = `$o = @unserialize(base64_decode($argv[1])${classes});`;
  const code = `${read} try { echo @(string) $o->cur; } catch (Throwable) {}`;
  return shown(await printedBy('php', '-r', code, '--', value));
}

const shown = (value: unknown): string => `<h1>Profile</h1><p>Hello ${escapeHtml(String(value))}</p>`;

/** Applications that make objects of a value; those of other languages are there where the language is. */
export const revivingShows: Record<string, { link: string; show(variant: Variant): Show }> = {
  'JSON with functions in Node, whose name is shown': {
    link: '/profile?profile=%7B%22name%22%3A%22Ann%22%7D',
    show: (variant) => (value) => shown((variant === 'vulnerable' ? revived(value) : JSON.parse(value)).name),
  },
  'JSON with functions in Node, of which nothing is shown': {
    link: '/prefs?prefs=%7B%22name%22%3A%22Ann%22%7D',
    show: (variant) => (value) => {
      if (variant === 'vulnerable') revived(value);
      return '<h1>Kept</h1>';
    },
  },
  'a list in JSON with functions in Node': {
    link: '/basket?items=%5B%22lamp%22%5D',
    show: (variant) => (value) =>
      shown(Object.values(variant === 'vulnerable' ? revived(value) : JSON.parse(value)).join(', ')),
  },
  'JSON with functions in Node, in base64': {
    link: '/start?profile=eyJuYW1lIjoiQW5uIn0=',
    show: (variant) => (value) => {
      const text = Buffer.from(value, 'base64').toString();
      return shown((variant === 'vulnerable' ? revived(text) : JSON.parse(text)).name);
    },
  },
  'JSON with functions in Node, of which an order is made that has to have a name and a number': {
    link: `/order?order=${encodeURIComponent('{"item":{"name":"lamp","code":"L2"},"count":2}')}`,
    show: (variant) => (value) => {
      const { item, count } = (variant === 'vulnerable' ? revived(value) : JSON.parse(value)) as Record<
        string,
        unknown
      >;
      if (typeof count !== 'number' || typeof item !== 'object' || item === null || !('code' in item))
        return 'No order';
      return shown('name' in item ? item.name : '');
    },
  },
  ...(isHere('ruby') && {
    'a list of steps in YAML in Ruby, which has to have steps': {
      link: `/steps?steps=${encodeURIComponent('name: build\nsteps:\n  - name: lint\n    run: make lint\n')}`,
      show: (variant: Variant) => async (value: string) => {
        const read = variant === 'vulnerable' ? 'YAML.unsafe_load' : 'YAML.safe_load';
        const code = `d = ${read}(ARGV[0]); puts d["steps"].map { |step| step["name"].to_s }`;
        return shown(await printedBy('ruby', '-ryaml', '-e', code, '--', value));
      },
    },
  }),
  ...(isHere('php') && {
    'an object of PHP, in base64, of which a member is shown': {
      link: `/cart?cart=${encodeURIComponent(Buffer.from('O:8:"stdClass":2:{s:5:"items";a:1:{i:0;s:4:"lamp";}s:3:"cur";s:3:"EUR";}').toString('base64'))}`,
      show: (variant: Variant) => (value: string) => phpShown(variant, value),
    },
  }),
  ...(isHere('python3') && {
    'a pickle in Python, in base64, of which nothing is shown': {
      link: '/start?look=gASVBAAAAAAAAAB9lC4=',
      show: (variant: Variant) => async (value: string) => {
        const read = variant === 'vulnerable' ? 'pickle.loads(text)' : 'json.loads(text)';
        const decoded = 'text = base64.b64decode(sys.argv[1])';
        await printedBy('python3', '-c', `import sys, base64, json, pickle; ${decoded}; ${read}`, value);
        return '<h1>Kept</h1>';
      },
    },
    'a pickle in Python': {
      link: '/object?object=(dp0%0A.',
      show: (variant: Variant) => async (value: string) =>
        variant === 'vulnerable'
          ? shown(
              await printedBy('python3', '-c', 'import sys, pickle; print(pickle.loads(sys.argv[1].encode()))', value),
            )
          : shown(await printedBy('python3', '-c', 'import sys, json; print(json.loads(sys.argv[1]))', value)),
    },
    'a pickle in Python of which nothing is shown': {
      link: '/state?state=(dp0%0A.',
      show: (variant: Variant) => async (value: string) => {
        const read = variant === 'vulnerable' ? 'pickle.loads(sys.argv[1].encode())' : 'json.loads(sys.argv[1])';
        await printedBy('python3', '-c', `import sys, json, pickle; ${read}`, value);
        return '<h1>Kept</h1>';
      },
    },
  }),
};
