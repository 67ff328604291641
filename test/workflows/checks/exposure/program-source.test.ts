import { programSource } from '../../../../workflows/checks/exposure/program-source.check.ts';
import { programSamples } from '../../../fixtures/exposed/source.ts';
import { html } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

exposedSuite(programSource, programSamples, {
  clean: {
    'serves a bundle for browsers by such a name': ({ path }) =>
      path === '/app.js'
        ? script('!function(){var e=require("./view"),t=process.env.NODE_ENV;e.start(document.body,t)}();')
        : undefined,
    'links to its source for everybody to read': ({ path }) =>
      path === '/'
        ? html('<a href="/server.js">Source</a>')
        : path === '/server.js'
          ? script("import express from 'express';\nexpress().listen(80);\n")
          : undefined,
  },
}).run();
