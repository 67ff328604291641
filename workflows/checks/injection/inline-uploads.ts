import { parseJson } from '../../model/json.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import type { InlineFile } from './inline-action.ts';
import type { ActiveFile } from './upload-files.ts';
import { privilegesOf, sendersOf, type Taking } from './upload-forms.ts';

/** An address with its content in it. Source: RFC 2397. */
const dataAddress = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[\w-]+)*;base64,/i;
/** What the audit chose for the page's field, as script sends it. */
const chosenContent = 'YQ==';
const chosenName = /^test\.\w{1,8}$/;

/** Inputs that take a file in their text, each once, as the first visitor whose pages send it. */
export function inlineTakings(context: CheckContext): Taking[] {
  const all = sendersOf(context).flatMap(
    (identity) =>
      (context.surfaces[identity] ?? (identity === '' ? context.surface : undefined))?.inputs.flatMap((input) =>
        takingInput(input, identity, privilegesOf(context, identity)),
      ) ?? [],
  );
  const known = new Map(all.toReversed().map((each) => [`${each.input.route} ${each.input.parameter}`, each]));
  return [...known.values()].toReversed();
}

function takingInput(input: InputSurface, identity: string, needs: Taking['needs']): Taking[] {
  if (input.method === 'GET' || input.in !== 'body' || input.encoded) return [];
  const [address, type = ''] = dataAddress.exec(input.sample) ?? [];
  if (address === undefined && input.sample !== chosenContent) return [];
  const nameAt = input.json && pointerOfName(input.json.body);
  // Base64 without a name of a file may be anything.
  if (address === undefined && nameAt === undefined) return [];
  const inline = { isAddress: address !== undefined, ...(nameAt !== undefined && { nameAt }) };
  const accept = type.startsWith('image/') ? 'image/*' : '';
  const pageUrl = input.page?.url ?? input.url;
  return [{ identity, needs, input, pageUrl, accept, called: input.parameter, inline }];
}

function pointerOfName(body: string): string | undefined {
  const root = parseJson(body);
  if (typeof root !== 'object' || root === null) return undefined;
  const [name] = Object.entries(root).find(([, value]) => typeof value === 'string' && chosenName.test(value)) ?? [];
  return name === undefined ? undefined : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Where no name is sent, a site takes the ending from the type: each ending once, as that of a picture. */
export function inlineFiles(files: readonly ActiveFile[], { nameAt }: InlineFile): ActiveFile[] {
  if (nameAt !== undefined) return [...files];
  const all = files.flatMap((active) => {
    const ending = active.file.name.replace(/^.*\./s, '');
    const typed = (type: string): ActiveFile => ({
      ...active,
      file: { ...active.file, type },
      inert: { ...active.inert, type },
    });
    if (ending === 'svg') return [active];
    return [typed(`image/${ending}`), ...(active.effect === 'opens' ? [active] : [])];
  });
  const keyOf = ({ file }: ActiveFile) => `${file.type} ${file.content}`;
  return [...new Map(all.toReversed().map((each) => [keyOf(each), each])).values()].toReversed();
}
