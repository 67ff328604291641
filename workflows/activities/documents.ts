import { fromJsonString } from '@bufbuild/protobuf';
import { DocumentedRequestsSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Omission } from '../orchestration/omissions.ts';
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

/**
 * What of the documents the survey leaves out: a gap when it is all of them. Their POST requests are counted with the forms.
 */
export function omittedOf({ inside, outside }: DocumentedScope): Omission[] {
  const subject = 'survey:documents';
  const writing = inside.filter((request) => !isReading(request) && request.method !== 'POST').length;
  const foreign = outside.reduce((sum, { requests }) => sum + requests, 0);
  const hosts = outside.slice(0, maxHosts).map(({ host }) => host);
  const more = outside.length > maxHosts ? `, and ${outside.length - maxHosts} more` : '';
  const omissions: Omission[] = [];
  if (writing > 0) {
    const text = `${writing} requests of the API documents would write and were not sent`;
    omissions.push({ code: 'would_write', subject, count: writing, text });
  }
  if (foreign > 0) {
    const text = `${foreign} requests of the API documents are for hosts that this scan does not audit (${hosts.join(', ')}${more})`;
    const code = inside.length === 0 ? 'document_unreadable' : 'other_host';
    omissions.push({ code, subject, count: foreign, text });
  }
  return omissions;
}

/** Names of hosts in a sentence. */
const maxHosts = 5;
