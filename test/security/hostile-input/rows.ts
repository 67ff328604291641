import type { Row } from './row.ts';
import { conclusionRows } from './rows/conclusions.ts';
import { connectionRows } from './rows/connections.ts';
import { fileRows } from './rows/files.ts';
import { gateRows } from './rows/gate.ts';
import { htmlRows } from './rows/html.ts';
import { networkRows } from './rows/network.ts';
import { relayRows } from './rows/relay.ts';
import { textRows } from './rows/texts.ts';

/** Everything that a target can make the worker read, each with input that is meant to hold it up or to fill its memory. */
export const allRows: readonly Row[] = [
  ...networkRows,
  ...connectionRows,
  ...gateRows,
  ...fileRows,
  ...htmlRows,
  ...textRows,
  ...conclusionRows,
  ...relayRows,
];

/** Beside each of them one of its kind asks more of the same code, or takes another way through it. */
const alike = new Set([
  'a body that gzip blows up',
  'a body that zstd blows up',
  'a gzip that unpacks to much',
  'a described certificate of very many names',
  'a described certificate of many quoted names',
  'a value that commands read out of a page, under many names',
  'a value that commands read out of a page, in a tag of one long line',
  'a browser that says nothing very often',
  'forms of a whole site',
  'links of a whole site',
  'YAML of very many documents',
  'YAML of quoted text without an end',
  'YAML of comments and flows',
  'YAML of the same key',
  'YAML that nests and ends',
  'a pack of deltas without their objects',
  'a pack of objects that unpack to much',
  'a thousand facts for each need of an action',
  'the forms of a login page: rows of addresses',
  'the forms of a login page: fields that name their form',
  'the forms with a password: rows of addresses',
  'the texts of a page: fields that name their form',
  'the base of a page: rows of addresses',
  'the words of a refusal: rows of addresses',
  'a list of a folder: rows of addresses',
  'a privileged page: fields that name their form',
  'places of a template: fields that name their form',
]);

/** Those that are measured with every change: each reader with the inputs that ask the most of readers like it. */
export const rows: readonly Row[] = allRows.filter(({ isFurther, name }) => !isFurther && !alike.has(name));
