import express from 'express';
import { printedBy } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { revived } from '../../../sites/reviving-shows.ts';

type Importing = {
  field: string;
  accept: string;
  label: string;
  /** Endings that the site takes. */
  ending?: RegExp;
  read: (content: string) => unknown;
  mended: (content: string) => unknown;
};

/** A form whose file is made an object of, of which the page says no more than that it was read. */
const importing =
  ({ field, accept, label, ending, read, mended }: Importing): ScoreCase['start'] =>
  (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        `<h1>${label}</h1><form method="post" action="/import" enctype="multipart/form-data"><label>${label} <input type="file" name="${field}" accept="${accept}"></label><button>Upload</button></form>`,
      ),
    );
    app.post('/import', express.raw({ type: 'multipart/*' }), async (request, response) => {
      const headers = { 'content-type': request.get('content-type') ?? '' };
      const file = (await new Response(request.body, { headers }).formData()).get(field);
      if (!(file instanceof File) || (ending && !ending.test(file.name)))
        return void response.status(400).send('<p>No</p>');
      try {
        await (variant === 'vulnerable' ? read : mended)(await file.text());
        response.send('<p>Restored.</p>');
      } catch {
        response.status(400).send('<p>This file cannot be read.</p>');
      }
    });
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  };

const inPython = (code: string) => (content: string) => printedBy('python3', '-c', code, content);

/** As the loader of PyYAML does that knows all tags: the name of a function, and numbers that it is called with. */
const allTags = inPython(`import sys, re, importlib
call = re.match(r"!!python/object/apply:(\\w+)\\.(\\w+) \\[(\\d+)\\]$", sys.argv[1].strip())
if call: getattr(importlib.import_module(call[1]), call[2])(int(call[3]))`);

export const cases: ScoreCase[] = [
  {
    name: 'settings that are imported from a file of YAML with all tags',
    start: importing({
      ...{ field: 'settings', accept: '.yaml,.yml', label: 'Import settings', ending: /\.ya?ml$/ },
      read: allTags,
      mended: (content) => content.split('\n').map((line) => line.split(': ')),
    }),
  },
  {
    name: 'game that is restored from a pickle in a file of any name',
    start: importing({
      ...{ field: 'save', accept: '', label: 'Continue a saved game' },
      read: inPython('import sys, pickle; pickle.loads(sys.argv[1].encode())'),
      mended: inPython('import sys, json; json.loads(sys.argv[1])'),
    }),
  },
  {
    name: 'backup that is read from JSON with functions',
    start: importing({
      ...{ field: 'backup', accept: 'application/json', label: 'Import a backup' },
      read: revived,
      mended: (content) => JSON.parse(content),
    }),
  },
];
