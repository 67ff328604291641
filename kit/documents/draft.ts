/** What a document says of one request: scanaudit.v1.DocumentedRequest. */
export type Draft = {
  method: string;
  urls: string[];
  parameters: Parameter[];
  contentType: string;
  body?: DraftBody;
  title?: string;
};
/** JSON or XML of a body, empty when there is none; `isCut` when the document describes more of it, or something else. */
export type DraftBody = { text: string; isCut: boolean };
export const noBody: DraftBody = { text: '', isCut: false };
/** A request as it is kept. */
export type StoredDraft = Omit<Draft, 'body'> & { body: string };
export type Parameter = { name: string; in: ParameterIn; sample: string };
export type ParameterIn = 'query' | 'path' | 'body' | 'header' | 'cookie';

/** The document is none that can be read. The message says why, for whoever put it. */
export class DocumentFault extends Error {
  override name = 'DocumentFault';
}

/** More requests than this are left out: no scan could try them all. */
export const maxRequests = 2_000;
/** Those that are looked at, with the ones that are known already or have no usable address. */
const maxDrafts = 20_000;
const maxParameters = 100;
export const maxUrls = 4;
const maxUrlLength = 2_048;
const maxNameLength = 200;
const maxSampleLength = 200;
const maxBodyLength = 8_192;
const maxTitleLength = 200;

/** Names of values that let somebody in. */
const secretName =
  /token|secret|passw|pwd|session|^sid$|auth|api-?_?key|^key$|signature|^sig$|jwt|^code$|otp|csrf|xsrf|credential/i;
/** Long random text, and tokens of three parts (RFC 7519), are credentials whatever they are called. */
const secretForm = /^(?=.*\d)(?=.*[a-z])[\w~+/=-]{24,}$|^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value as a sample: of what may be a credential nothing is kept. */
export function sampleOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return '';
  const text = String(value);
  if (text.length > maxSampleLength || /\p{Cc}/u.test(text) || secretName.test(name)) return '';
  return secretForm.test(text) && !uuid.test(text) ? '' : text;
}

/** JSON of a body without what may be a credential; empty for no object or list, and cut to nothing when it is too long. */
export function bodyWithoutSecrets(value: unknown): DraftBody {
  if (typeof value !== 'object' || value === null) return noBody;
  const text = written.get(value) ?? write(value);
  written.set(value, text);
  return text;
}

/** A document as a body: it is made of samples, and cut to nothing when it is too long. */
export const xmlBody = (text: string): DraftBody => (text.length <= maxBodyLength ? { text, isCut: false } : tooLong);

/** One example may be the body of all operations: it is written once. */
const written = new WeakMap<object, DraftBody>();
const tooLong: DraftBody = { text: '', isCut: true };

function write(value: object): DraftBody {
  // What is too long is given up, not written and then measured.
  let budget = maxBodyLength;
  const keep = (name: string, each: unknown): unknown => {
    budget -= 2 + (typeof each === 'string' ? each.length : 0);
    if (budget < 0) throw new TooLong();
    if (typeof each === 'number') return sampleOf(name, each) === '' ? 0 : each;
    // Inside of a list a text has a number for its name.
    return typeof each === 'string' ? sampleOf(name, each) : each;
  };
  try {
    const json = JSON.stringify(value, keep);
    return json.length <= maxBodyLength ? { text: json, isCut: false } : tooLong;
  } catch (error) {
    if (error instanceof TooLong) return tooLong;
    throw error;
  }
}

class TooLong extends Error {}

/** The requests of a document, and how much of it exceeded the limits: scanaudit.v1.DocumentedRequests. */
export type Collected = {
  requests: StoredDraft[];
  requestsLeftOut: number;
  parametersLeftOut: number;
  bodiesLeftOut: number;
};

/** Each request once, within bounds. */
export function collect(drafts: Iterable<Draft>): Collected {
  const known = new Map<string, StoredDraft>();
  let [requestsLeftOut, parametersLeftOut, bodiesLeftOut] = [0, 0, 0];
  let left = maxDrafts;
  for (const draft of drafts) {
    left -= 1;
    const urls = [...new Set(draft.urls)].filter(({ length }) => length <= maxUrlLength).slice(0, maxUrls);
    const all = unique(draft.parameters);
    const parameters = all.slice(0, maxParameters);
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`).sort();
    // These distinguish operations of one address that take documents.
    const operation = /\bxml\b/.test(draft.contentType) ? draft.title : undefined;
    const key = JSON.stringify([draft.method, urls, names, operation]);
    if (urls.length === 0 ? draft.urls.length > 0 : !known.has(key) && known.size === maxRequests) requestsLeftOut += 1;
    else if (urls.length > 0 && !known.has(key)) {
      parametersLeftOut += all.length - parameters.length;
      const { text, isCut } = draft.body ?? noBody;
      // Others are not sent.
      if (isCut && draft.method === 'POST') bodiesLeftOut += 1;
      known.set(key, { ...draft, urls, parameters, body: text, title: (draft.title ?? '').slice(0, maxTitleLength) });
    }
    if (left === 0) {
      // Whatever comes behind is at least one.
      requestsLeftOut += 1;
      break;
    }
  }
  return { requests: [...known.values()], requestsLeftOut, parametersLeftOut, bodiesLeftOut };
}

function unique(parameters: readonly Parameter[]): Parameter[] {
  const isNamed = ({ name }: Parameter) => name !== '' && name.length <= maxNameLength;
  const byPlace = new Map(parameters.filter(isNamed).map((each) => [`${each.in} ${each.name}`, each]));
  return [...byPlace.values()];
}

/** An absolute http or https address without query, or a path, with the braces of its own text encoded. */
export function literalUrl(url: URL): string {
  return url.origin + url.pathname.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

export const isWeb = (url: URL | null): url is URL => url?.protocol === 'http:' || url?.protocol === 'https:';
