import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { default as draft04 } from 'ajv-draft-04';
import { default as formats } from 'ajv-formats';

/** The official schema of SARIF 2.1.0 (errata rtm.5), which a package of Microsoft's SARIF SDK brings along. */
const schemaFile = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

const validator = new draft04.default({ allErrors: true, strict: false, unicodeRegExp: false });
formats.default(validator);
const validate = validator.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));

/** What is wrong with a SARIF log by the official schema, in words; empty when nothing is. */
export function schemaErrors(log: unknown): string[] {
  validate(log);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
