import express from 'express';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

type Reading = { field: string; takes?: (file: File) => boolean; show: (document: XmlDocument) => string };

/** A form whose file is read as a drawing: with what it names, or without. */
const reading =
  ({ field, takes = () => true, show }: Reading): ScoreCase['start'] =>
  (variant) => {
    xmlRegisterFsInputProviders();
    const app = express();
    app.get('/', (_request, response) =>
      response.send(`<form method="post" action="/${field}" enctype="multipart/form-data">
        <input name="title"><input type="file" name="${field}"><button>Upload</button></form>`),
    );
    app.post(`/${field}`, express.raw({ type: 'multipart/*' }), async (request, response) => {
      const headers = { 'content-type': request.get('content-type') ?? '' };
      const file = (await new Response(request.body, { headers }).formData()).get(field);
      if (!(file instanceof File) || !takes(file)) return void response.status(415).send('<p>Drawings only</p>');
      const outer = variant === 'vulnerable' ? ParseOption.XML_PARSE_DTDLOAD : ParseOption.XML_PARSE_NO_XXE;
      try {
        const option = ParseOption.XML_PARSE_NOENT | outer;
        using document = XmlDocument.fromString(await file.text(), { option });
        response.send(`<p>${show(document).replaceAll('<', '&lt;')}</p>`);
      } catch {
        response.status(400).send('<p>Not a drawing</p>');
      }
    });
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  };

export const cases: ScoreCase[] = [
  { name: 'shelf of icons that shows all texts', start: reading({ field: 'icon', show: ({ root }) => root.content }) },
  {
    name: 'map that takes files by their ending and shows the title',
    start: reading({
      field: 'map',
      takes: ({ name }) => name.endsWith('.svg'),
      show: (document) => document.get('/s:svg/s:title', { s: 'http://www.w3.org/2000/svg' })?.content ?? 'No title',
    }),
  },
  {
    name: 'badge that takes files by their type and writes the drawing anew',
    start: reading({
      field: 'badge',
      takes: ({ type }) => type === 'image/svg+xml',
      show: (document) => document.toString(),
    }),
  },
];
