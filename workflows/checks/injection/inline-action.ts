import type { HttpAction } from '../../model/experiment.ts';
import { inBase64, inEncodedBase64 } from '../../proof/template.ts';
import { inputAction, type OpenedInput, type UploadedFile } from '../inputs/input-request.ts';
import { jsonWith } from '../inputs/json-inputs.ts';

/**
 * A file that script sends in the text of a request, in base64: by itself or as a `data:` address, with the member of the document that
 * names it where there is one.
 */
export type InlineFile = { isAddress: boolean; nameAt?: string };

/** The request that sends a file as the page's script would. */
export function inlineAction(input: OpenedInput, { isAddress, nameAt }: InlineFile, file: UploadedFile): HttpAction {
  const isForm = !input.json && !input.text && !input.xml;
  const content = isForm ? inEncodedBase64(file.content) : inBase64(file.content);
  const value = isAddress ? `data:${file.type};base64,${content}` : content;
  if (nameAt === undefined || !input.json) return inputAction(input, value);
  const body = jsonWith({ body: input.json.body, pointer: nameAt }, file.name);
  return inputAction({ ...input, json: { ...input.json, body } }, value);
}
