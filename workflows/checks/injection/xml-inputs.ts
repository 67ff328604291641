import type { InputSurface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import type { CheckContext } from '../contract.ts';
import { canaryAt } from '../inputs/canary.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { staysData } from './data-only.ts';
import { isKnownOfAnother } from './interpreters.ts';
import { arePagesOfPrograms, asProgram } from './numbered-pages.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue, showsUnparsable } from './unparsable.ts';
import { saysXmlError, takesXml, xmlBodies } from './xml-documents.ts';

/** A whole body that is a document. */
const isBody = (input: OpenedInput): boolean => input.contentType === 'application/xml';

/** Whether an input takes a document, or becomes a part of one. @throws ProbeError */
export const isDocument = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  isBody(input) ||
  takesXml(input) ||
  saysXmlError((await canaryAt(context, input)).exchange.text) ||
  (await standsInMarkup(context, input));

/** What begins a tag breaks the document that the value is put into, what ends one does not. */
async function standsInMarkup(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if ((await staysData(context, input)) || !(await showsUnparsable(context, input))) return false;
  if (await isKnownOfAnother(context, input, ['xml'])) return false;
  const [ask, value] = [askerOf(context, input), givenValue(input)];
  const seen = async (sign: string, fresh = false) => {
    const { status, text } = await ask(value + sign, fresh);
    return `${status} ${decodedText(text).replaceAll(value + sign, '')}`;
  };
  const [broken, whole] = [await seen('<'), await seen('>')];
  return broken !== whole && whole === (await seen('>', true));
}

/** Whole bodies that are documents, each of those by itself that pages send whose numbers name programs. */
export async function documentBodies(context: CheckContext): Promise<InputSurface[]> {
  const { surface } = context;
  const pageOf = new Map(surface.calls.map(({ url, pageUrl }) => [url, pageUrl]));
  const bodies: InputSurface[] = [];
  for (const alike of Map.groupBy(xmlBodies(surface), ({ route }) => route).values()) {
    const pages = new Set(alike.flatMap(({ url }) => pageOf.get(url) ?? []));
    const isApart = pages.size > 1 && (await arePagesOfPrograms(context, [...pages]));
    bodies.push(...(isApart ? alike.map(asProgram) : alike));
  }
  return bodies;
}
