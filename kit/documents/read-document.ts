import { type Document, parseDocument, visit } from 'yaml';
import { readJson } from '../json.ts';
import { type Collected, collect, DocumentFault } from './draft.ts';
import { isHar, readHar } from './har.ts';
import { isNode, type Node } from './json.ts';
import { isOpenApi, readOpenApi } from './openapi.ts';
import { postmanCollection, readPostman } from './postman.ts';
import { isWsdl, readWsdl } from './wsdl.ts';

export type ReadDocument = Collected & { format: 'openapi' | 'postman' | 'har' | 'wsdl' };

/** YAML is read far more slowly than JSON, and takes a hundred times its length of memory. */
const maxYamlLength = 1024 * 1024;
/** Anchors that name each other can make a short text a long document. */
const maxAliasCount = 100;
/** In all: each is looked up by a walk through the document. */
const maxAliases = 1_000;

/**
 * Reads what requests look like out of a description of an API. Nothing is fetched, and no credential is kept.
 * @throws DocumentFault
 */
export function readDocument(text: string): ReadDocument {
  const read = readNested(text);
  if (!read)
    throw new DocumentFault('it is none of OpenAPI 2.0, 3.0 or 3.1, Postman collection 2.1, HAR 1.2 and WSDL 1.1');
  if (read.requests.length === 0) throw new DocumentFault('it describes no request');
  return read;
}

/** Values within each other by the thousand are read until the stack is full: no description has them. */
function readNested(text: string): ReadDocument | undefined {
  try {
    return isWsdl(text) ? { format: 'wsdl', ...collect(readWsdl(text)) } : readAs(parseText(text));
  } catch (error) {
    throw error instanceof RangeError ? new DocumentFault('it is nested too deeply') : error;
  }
}

function readAs(document: Node): ReadDocument | undefined {
  if (isOpenApi(document)) return { format: 'openapi', ...collect(readOpenApi(document)) };
  if (isHar(document)) return { format: 'har', ...collect(readHar(document)) };
  const collection = postmanCollection(document);
  return collection && { format: 'postman', ...collect(readPostman(collection)) };
}

function parseText(text: string): Node {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart();
  const document = trimmed.startsWith('{') ? parseJson(trimmed) : parseYaml(text);
  if (!isNode(document)) throw new DocumentFault('it is no object');
  return document;
}

/** A YAML document may begin with a brace as well. */
const parseJson = (text: string): unknown => readJson(text) ?? parseYaml(text);

function requireFewAliases(parsed: Document): void {
  let aliases = 0;
  visit(parsed, {
    Alias: () => {
      aliases += 1;
      return aliases > maxAliases ? visit.BREAK : undefined;
    },
  });
  if (aliases > maxAliases) throw new DocumentFault(`it has more than ${maxAliases} aliases`);
}

function parseYaml(text: string): unknown {
  if (text.length > maxYamlLength)
    throw new DocumentFault(`as YAML it may have at most ${maxYamlLength} characters: convert it to JSON`);
  try {
    // Looking for names that are given twice takes the square of their number.
    const parsed = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
    const [error] = parsed.errors;
    if (error) throw error;
    requireFewAliases(parsed);
    return parsed.toJS({ maxAliasCount });
  } catch (error) {
    if (error instanceof DocumentFault) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown';
    throw new DocumentFault(`it is neither JSON nor YAML: ${String(reason).slice(0, 200)}`);
  }
}
