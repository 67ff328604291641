import { fromJsonString } from '@bufbuild/protobuf';
import { DocumentedRequestsSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { NotCovered } from '../orchestration/tasks.ts';
import { type DocumentedScope, documentedScope, isReading } from '../probe/crawl/documented.ts';
import type { Run } from '../runs.ts';

/** What the org's API documents say of the target. */
export async function openDocuments(run: Run, { documents, url }: RunContext): Promise<DocumentedScope> {
  const contents = await Promise.all(documents.map((name) => run.findSecret(`scope:document:${name}`)));
  const options = { ignoreUnknownFields: true };
  // One that the org has taken away meanwhile describes nothing.
  const described = contents.flatMap((content) =>
    content === undefined ? [] : fromJsonString(DocumentedRequestsSchema, content, options).requests,
  );
  return documentedScope(described, url);
}

/** What of the documents the survey leaves out, in words for the coverage: a gap when it is all of them. */
export function wordsOn({ inside, outside }: DocumentedScope): { notCovered: NotCovered[]; remark: string } {
  const writing = inside.filter((request) => !isReading(request)).length;
  const count = outside.reduce((sum, { requests }) => sum + requests, 0);
  const hosts = outside.slice(0, maxHosts).map(({ host }) => host);
  const foreign =
    count === 0
      ? ''
      : `requests of the API documents for hosts that this scan does not audit (${hosts.join(', ')}): ${count}`;
  const unsent =
    writing === 0 ? '' : `requests of the API documents that may change something and were not sent: ${writing}`;
  if (foreign !== '' && inside.length === 0)
    return { notCovered: [{ subject: 'survey:documents', reason: foreign }], remark: '' };
  return { notCovered: [], remark: [foreign, unsent].filter((words) => words !== '').join('; ') };
}

/** Names of hosts in a sentence. */
const maxHosts = 5;
