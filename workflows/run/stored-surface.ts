import { z } from 'zod';
import { OmissionCodeSchema } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { refusalCodes } from '../model/gate.ts';
import type { OmissionWord, Omitted } from '../model/omission.ts';
import type { Skipped } from '../model/skipped.ts';
import type {
  CallSurface,
  ChoiceSurface,
  ExploredPage,
  FormSurface,
  GivenCookies,
  HashRoute,
  InputSurface,
  OriginSurface,
  PageSurface,
  PageToken,
  Surface,
} from '../model/surface.ts';

/** Every member of a type, those that may be missing among them: what is not named here would be lost between two steps of a run. */
const whole =
  <T>() =>
  <S extends { [K in keyof Required<T>]: z.ZodType }>(shape: S): S =>
    shape;

/** Every kind of a union, and every word of an enumeration: one that is not named here would end each activity that reads the surface. */
function everyKind<T>() {
  return <S extends z.ZodType<T>>(schema: S & ([T] extends [z.input<S>] ? unknown : never)): S => schema;
}

const text = z.string();
const header = z.tuple([text, text]);
const pair = z.object({ name: text, value: text });

const words: ReadonlySet<string> = new Set(
  OmissionCodeSchema.values.map(({ localName }) => localName.toLowerCase()).filter((word) => word !== 'unspecified'),
);
const omissionWord = z.custom<OmissionWord>((word) => words.has(String(word)), 'must be a code of the contract');

const skipCode = everyKind<Skipped['code']>()(
  z.enum([
    ...refusalCodes,
    ...(['other-host', 'excluded', 'not-a-page', 'url-too-long', 'loop', 'folded', 'template-unseen'] as const),
    ...(['budget', 'out-of-time', 'session-lost', 'too-many', 'failed', 'page-cut'] as const),
  ]),
);

const origin = z.object(
  whole<OriginSurface>()({
    ...{ origin: text, scheme: z.enum(['http', 'https']), host: text, port: z.int(), status: z.int() },
    ...{ headers: z.array(header), redirectsTo: text.exactOptional() },
  }),
);

const page = z.object(
  whole<PageSurface>()({
    ...{ url: text, status: z.int(), contentType: text, headers: z.array(header), setCookies: z.array(text) },
    title: text,
    scripts: z.array(
      z.object(
        whole<PageSurface['scripts'][number]>()({
          url: text.exactOptional(),
          integrity: text.exactOptional(),
          inlineBytes: z.number().exactOptional(),
        }),
      ),
    ),
    loaded: z.array(text).exactOptional(),
    hashRoutes: z.array(z.object(whole<HashRoute>()({ fragment: text, loaded: z.array(text) }))).exactOptional(),
    source: text,
    shape: z.array(z.number()).exactOptional(),
    repeatsNames: z.literal(true).exactOptional(),
  }),
);

const form = z.object(
  whole<FormSurface>()({
    ...{ pageUrl: text, action: text, method: z.enum(['GET', 'POST']), enctype: text },
    fields: z.array(
      z.object(
        whole<FormSurface['fields'][number]>()({
          ...{ name: text, type: text, value: text },
          options: z.array(text).exactOptional(),
          isRequired: z.literal(true).exactOptional(),
          pattern: text.exactOptional(),
          min: text.exactOptional(),
          max: text.exactOptional(),
          minLength: z.number().exactOptional(),
          isUnticked: z.literal(true).exactOptional(),
          autocomplete: text.exactOptional(),
          accept: text.exactOptional(),
        }),
      ),
    ),
    isSearch: z.literal(true).exactOptional(),
    takesAnybody: z.literal(true).exactOptional(),
    label: text.exactOptional(),
    otherButtons: z.array(pair).exactOptional(),
  }),
);

const token = everyKind<PageToken>()(
  z.union([
    z.object({ header: text, cookie: text }),
    z.object({ header: text, meta: text }),
    z.object({ header: text, behind: text }),
    z.object({ field: text }),
  ]),
);

type FoundByChecks =
  | ('encoded' | 'renamed' | 'file' | 'inFile' | 'isDecoded' | 'isUnasked' | 'asked')
  | ('isStored' | 'namesEntry' | 'mayBePutBack');

const input = z.object(
  whole<Omit<InputSurface, FoundByChecks>>()({
    ...{ method: text, url: text, route: text, parameter: text },
    ...{ in: z.enum(['query', 'body', 'path', 'header', 'cookie']), sample: text, others: z.array(pair) },
    contentType: text.exactOptional(),
    json: z.object({ body: text, pointer: text, literal: z.int().exactOptional() }).exactOptional(),
    xml: z.object({ body: text, index: z.int() }).exactOptional(),
    text: z.object({ body: text, prefix: text.exactOptional() }).exactOptional(),
    before: z.array(text).exactOptional(),
    page: z
      .object({ url: text, tokens: z.array(token), headers: z.array(z.tuple([text, text])).exactOptional() })
      .exactOptional(),
    isRepeated: z.literal(true).exactOptional(),
    title: text.exactOptional(),
    isDescribed: z.literal(true).exactOptional(),
    isShut: z.literal(true).exactOptional(),
    isNumbered: z.literal(true).exactOptional(),
    alike: z.array(z.object({ url: text, sample: text, others: z.array(pair) })).exactOptional(),
  }),
);

const call = z.object(
  whole<CallSurface>()({
    ...{ method: text, url: text, pageUrl: text },
    contentType: text.exactOptional(),
    body: text.exactOptional(),
    control: text.exactOptional(),
    held: z.literal(true).exactOptional(),
  }),
);

const choice = z.object(
  whole<ChoiceSurface>()({
    ...{ pageUrl: text, route: text, parameter: text, chosen: text },
    ...{ others: z.array(text), values: z.array(text) },
  }),
);

const exploredPage = z.object(
  whole<ExploredPage>()({
    code: text,
    shape: z.array(z.number()).exactOptional(),
    hooks: z.array(z.number()).exactOptional(),
    isDrawn: z.literal(true).exactOptional(),
  }),
);

const omitted = z.object(
  whole<Omitted>()({ code: omissionWord, count: z.int(), text, places: z.array(text).exactOptional() }),
);

/** A Surface as its JSON has it. */
export const storedSurface: z.ZodType<Surface> = z.object(
  whole<Omit<Surface, 'heldInputs' | 'heldCookies' | 'heldChoices'>>()({
    ...{ url: text, host: text, addresses: z.array(text) },
    ...{ origins: z.array(origin), pages: z.array(page), forms: z.array(form), inputs: z.array(input) },
    choices: z.array(choice).exactOptional(),
    givenCookies: z.array(z.object(whole<GivenCookies>()({ url: text, setCookies: z.array(text) }))).exactOptional(),
    missing: z.array(text).exactOptional(),
    ...{ calls: z.array(call), explored: z.array(exploredPage), omitted: z.array(omitted) },
    skipped: z.array(z.object(whole<Skipped>()({ url: text, code: skipCode, reason: text }))),
  }),
);
