import { execFile } from 'node:child_process';
import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

type Measuring = {
  field: string;
  /** The command line for a name, as its developer wrote it. */
  line: (name: string) => string;
  says: (printed: string) => string;
};

/** A form that has a program look at what is sent, by the name that its visitor gives it. */
const measuring =
  ({ field, line, says }: Measuring): ScoreCase['start'] =>
  (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        `<form method="post" action="/${field}" enctype="multipart/form-data"><input type="file" name="${field}"><button>Upload</button></form>`,
      ),
    );
    app.post(`/${field}`, express.raw({ type: 'multipart/*' }), async (request, response) => {
      const headers = { 'content-type': request.get('content-type') ?? '' };
      const file = (await new Response(request.body, { headers }).formData()).get(field);
      if (!(file instanceof File)) return void response.status(400).send('<p>No file</p>');
      const name = file.name.replace(/^.*[/\\]/, '');
      const [program, parameters] =
        variant === 'vulnerable' ? (['sh', ['-c', line(name)]] as const) : (['echo', [name]] as const);
      execFile(program, parameters, { timeout: 10_000 }, (_error, printed) => response.send(says(printed)));
    });
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  };

export const cases: ScoreCase[] = [
  {
    name: 'studio that says how long the name of a clip is, and nothing that a command prints',
    start: measuring({
      field: 'clip',
      line: (name) => `echo ${name} | wc -c`,
      says: (printed) => `<p>${/^\s*\d+/.exec(printed)?.[0] ?? 0} signs</p>`,
    }),
  },
  {
    name: 'archive that hands the name of a scan over in double quotes',
    start: measuring({ field: 'scan', line: (name) => `echo "${name}"`, says: () => '<p>Thank you.</p>' }),
  },
  {
    name: 'gallery that hands the name of a picture over in single quotes',
    start: measuring({
      field: 'picture',
      line: (name) => `echo '${name}'`,
      says: (printed) => `<p>${printed.replaceAll('<', '&lt;')}</p>`,
    }),
  },
];
