type ModuleListReader = {
  /** Takes the next token. @returns whether it is the name of a module in a list of them */
  read(label: string, value: unknown): boolean;
};

/** A script of the loader may be given by its address, too. */
const isName = /^(?!\/|https?:)/;

type ReadTo = 'outside' | 'called' | 'opened' | 'named' | 'list-next' | 'list';

/**
 * Finds the modules that code asks a loader for: `define("ui/effect", ["jquery", "./version"], …)`. Their names are no addresses: the
 * loader has them in a bundle, or finds a file by its settings. Source: Asynchronous Module Definition.
 */
export function moduleListReader(): ModuleListReader {
  let readTo: ReadTo = 'outside';
  return {
    read(label, value) {
      if (label === 'name' && /^(?:define|require|requirejs)$/.test(String(value))) readTo = 'called';
      else if (readTo === 'list') {
        if (label === 'string') return isName.test(String(value));
        if (label !== ',') readTo = 'outside';
      } else readTo = after(readTo, label);
      return false;
    },
  };
}

function after(readTo: ReadTo, label: string): ReadTo {
  if (readTo === 'called' && label === '(') return 'opened';
  if (readTo === 'opened' && label === 'string') return 'named';
  if (readTo === 'named' && label === ',') return 'list-next';
  if ((readTo === 'opened' || readTo === 'list-next') && label === '[') return 'list';
  return 'outside';
}
