import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { escapeHtml } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

type Running = {
  field: string;
  program: string;
  vulnerable: (value: string) => string[];
  patched: (value: string) => string[];
};

/** A page with a field, and what a program says of its value. */
const running =
  ({ field, program, ...lists }: Running): ScoreCase['start'] =>
  (variant) => {
    const folder = mkdtempSync(join(tmpdir(), 'programs-'));
    writeFileSync(join(folder, 'poems.txt'), 'The sun is high\nThe moon is low\n');
    const app = express();
    app.get('/', (request, response) => {
      const value = String(request.query[field] ?? '');
      const form = `<h1>Almanac</h1><form><input name="${field}" value="${escapeHtml(value)}"><button>Find</button></form>`;
      if (value === '') return void response.send(form);
      execFile(program, lists[variant](value), { cwd: folder, timeout: 4_000 }, (_error, printed, complaint) =>
        response.send(`${form}<pre>${escapeHtml(printed + complaint)}</pre>`),
      );
    });
    return startApp(app, { options: { depth: 'deep' } });
  };

const wordsOf = (value: string): string[] => value.split(' ').filter((word) => word !== '');

export const cases: ScoreCase[] = [
  {
    name: 'search in poems whose words are arguments',
    start: running({
      field: 'q',
      program: 'grep',
      vulnerable: (value) => ['-i', ...value.split(' '), 'poems.txt'],
      patched: (value) => ['-i', '-F', '--', value, 'poems.txt'],
    }),
  },
  {
    name: 'calendar that hands a day over as an option',
    start: running({
      field: 'day',
      program: 'date',
      vulnerable: (value) => [value],
      patched: (value) => ['-d', value],
    }),
  },
  {
    name: 'reader that shows the first lines of the files that are named',
    start: running({
      field: 'text',
      program: 'head',
      vulnerable: (value) => ['-n', '3', ...value.split(' ').map((name) => name.replaceAll('..', ''))],
      patched: (value) => ['-n', '3', '--', `${value.replace(/^.*\//, '')}`],
    }),
  },
  {
    name: 'search for files by a pattern whose words are conditions',
    start: running({
      field: 'name',
      program: 'find',
      vulnerable: (value) => ['.', '-type', 'f', '-name', ...wordsOf(`*${value}*`)],
      patched: (value) => ['.', '-type', 'f', '-name', `*${value}*`],
    }),
  },
  {
    name: 'look at an address whose words are addresses',
    start: running({
      field: 'url',
      program: 'curl',
      vulnerable: (value) => ['-sS', '-m', '2', ...wordsOf(value)],
      patched: (value) => ['-sS', '-m', '2', '--proto', '=http', '--', value],
    }),
  },
];
