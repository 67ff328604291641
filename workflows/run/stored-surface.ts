import { z } from 'zod';
import { OmissionCodeSchema } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { refusalCodes } from '../model/gate.ts';
import type { OmissionWord } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';

const text = z.string();
const header = z.tuple([text, text]);
const pair = z.object({ name: text, value: text });

const words: ReadonlySet<string> = new Set(
  OmissionCodeSchema.values.map(({ localName }) => localName.toLowerCase()).filter((word) => word !== 'unspecified'),
);
const omissionWord = z.custom<OmissionWord>((word) => words.has(String(word)), 'must be a code of the contract');

const skipCode = z.enum([
  ...refusalCodes,
  ...(['other-host', 'excluded', 'not-a-page', 'url-too-long', 'loop', 'folded', 'template-unseen'] as const),
  ...(['budget', 'out-of-time', 'session-lost', 'too-many', 'failed', 'page-cut'] as const),
]);

const origin = z.object({
  ...{ origin: text, scheme: z.enum(['http', 'https']), host: text, port: z.int(), status: z.int() },
  ...{ headers: z.array(header), redirectsTo: text.exactOptional() },
});

const page = z.object({
  ...{ url: text, status: z.int(), contentType: text, headers: z.array(header), setCookies: z.array(text) },
  title: text,
  scripts: z.array(
    z.object({
      url: text.exactOptional(),
      integrity: text.exactOptional(),
      inlineBytes: z.number().exactOptional(),
    }),
  ),
  source: text,
  shape: z.array(z.number()).exactOptional(),
});

const form = z.object({
  ...{ pageUrl: text, action: text, method: z.enum(['GET', 'POST']), enctype: text },
  fields: z.array(
    z.object({
      ...{ name: text, type: text, value: text },
      options: z.array(text).exactOptional(),
      isRequired: z.literal(true).exactOptional(),
      isUnticked: z.literal(true).exactOptional(),
      autocomplete: text.exactOptional(),
    }),
  ),
  isSearch: z.literal(true).exactOptional(),
  takesAnybody: z.literal(true).exactOptional(),
  label: text.exactOptional(),
  otherButtons: z.array(pair).exactOptional(),
});

const token = z.union([
  z.object({ header: text, cookie: text }),
  z.object({ header: text, meta: text }),
  z.object({ field: text }),
]);

const input = z.object({
  ...{ method: text, url: text, route: text, parameter: text },
  ...{ in: z.enum(['query', 'body', 'path', 'header', 'cookie']), sample: text, others: z.array(pair) },
  contentType: text.exactOptional(),
  json: z.object({ body: text, pointer: text, literal: z.int().exactOptional() }).exactOptional(),
  xml: z.object({ body: text, index: z.int() }).exactOptional(),
  page: z.object({ url: text, tokens: z.array(token) }).exactOptional(),
  title: text.exactOptional(),
  isDescribed: z.literal(true).exactOptional(),
  isShut: z.literal(true).exactOptional(),
  alike: z.array(z.object({ url: text, sample: text, others: z.array(pair) })).exactOptional(),
});

const call = z.object({
  ...{ method: text, url: text, pageUrl: text },
  contentType: text.exactOptional(),
  body: text.exactOptional(),
  control: text.exactOptional(),
  held: z.literal(true).exactOptional(),
});

/** A Surface as its JSON has it. */
export const storedSurface: z.ZodType<Surface> = z.object({
  ...{ url: text, host: text, addresses: z.array(text) },
  ...{ origins: z.array(origin), pages: z.array(page), forms: z.array(form), inputs: z.array(input) },
  calls: z.array(call),
  explored: z.array(
    z.object({ code: text, shape: z.array(z.number()).exactOptional(), isDrawn: z.literal(true).exactOptional() }),
  ),
  skipped: z.array(z.object({ url: text, code: skipCode, reason: text })),
  omitted: z.array(z.object({ code: omissionWord, count: z.int(), text, places: z.array(text).exactOptional() })),
});
