import { type Draft, isWeb, literalUrl, noBody, type Parameter, sampleOf } from './draft.ts';
import { listOf, type Node, nodeOf, nodesOf, textOf } from './json.ts';
import { jsonBodyOf, membersOf, pairsOf } from './json-body.ts';

export const isHar = (document: Node): boolean => Array.isArray(nodeOf(document.log).entries);

/** Servers take no longer addresses, and reading one costs more than its length. */
const maxAddressLength = 65_536;

/** Requests that a browser recorded. Source: HTTP Archive 1.2. Headers and cookies are not taken: they are sessions. */
export function* readHar(document: Node): Generator<Draft> {
  for (const entry of nodesOf(nodeOf(document.log).entries)) {
    const { method, url: text, postData } = nodeOf(entry.request);
    const address = textOf(text);
    if (address.length > maxAddressLength) {
      yield { method: textOf(method), urls: [address], parameters: [], contentType: '' };
      continue;
    }
    const url = URL.parse(address);
    if (!isWeb(url)) continue;
    const query = [...url.searchParams].map(
      ([name, value]): Parameter => ({ name, in: 'query', sample: sampleOf(name, value) }),
    );
    const { mimeType, params, text: body } = nodeOf(postData);
    const fields = listOf(params).length > 0 ? pairsOf(params, 'body', 'name') : membersOf(textOf(body));
    yield {
      method: textOf(method).toUpperCase() || 'GET',
      urls: [literalUrl(url)],
      parameters: [...query, ...fields],
      contentType: textOf(mimeType),
      body: listOf(params).length > 0 ? noBody : jsonBodyOf(textOf(body)),
    };
  }
}
