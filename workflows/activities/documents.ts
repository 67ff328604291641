import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Omission } from '../model/omission.ts';
import { counted, wasOrWere } from '../model/words.ts';
import type { Run } from '../run/run.ts';
import { opened } from '../run/store.ts';
import { type DocumentedScope, documentedScope, isReading } from '../survey/documented.ts';

const documents = 'survey:documents';

/** What documents describe, and how much of it was left out when they were read. */
type DescribedTarget = DocumentedScope & { requestsLeftOut: number; parametersLeftOut: number; bodiesLeftOut: number };

/** What the org's API documents say of the target. */
export async function openDocuments(run: Run, { documents: named, url }: RunContext): Promise<DescribedTarget> {
  const contents = await Promise.all(named.map((name) => opened.document(run, name)));
  // One that the org has taken away meanwhile describes nothing.
  const described = contents.flatMap((content) => content ?? []);
  return {
    ...documentedScope(
      described.flatMap(({ requests }) => requests),
      url,
    ),
    requestsLeftOut: described.reduce((sum, { requestsLeftOut }) => sum + requestsLeftOut, 0),
    parametersLeftOut: described.reduce((sum, { parametersLeftOut }) => sum + parametersLeftOut, 0),
    bodiesLeftOut: described.reduce((sum, { bodiesLeftOut }) => sum + bodiesLeftOut, 0),
  };
}

/**
 * What of the documents the survey leaves out: a gap when it is all of them. Their POST requests are counted with the forms.
 */
export function omittedOf({ inside, outside, ...left }: DescribedTarget): Omission[] {
  const subject = documents;
  const writing = inside.filter((request) => !isReading(request) && request.method !== 'POST').length;
  const foreign = outside.reduce((sum, { requests }) => sum + requests, 0);
  const hosts = outside.slice(0, maxHosts).map(({ host }) => host);
  const more = outside.length > maxHosts ? `, and ${outside.length - maxHosts} more` : '';
  const omissions: Omission[] = [
    ...beyond(
      left.requestsLeftOut,
      'request',
      'requests',
      'a document may have 2,000, with addresses of 2,048 characters',
    ),
    ...beyond(left.parametersLeftOut, 'parameter', 'parameters', 'a request of a document may have 100'),
    ...beyond(
      left.bodiesLeftOut,
      'body',
      'bodies',
      'a body is kept as JSON or a form, with 8,192 characters, 300 members and 8 levels',
    ),
  ];
  if (writing > 0) {
    const text = `${counted(writing, 'request')} of the API documents would write and ${wasOrWere(writing)} not sent`;
    omissions.push({ code: 'would_write', subject, count: writing, text });
  }
  if (foreign > 0) {
    const text = `${counted(foreign, 'request')} of the API documents ${foreign === 1 ? 'is' : 'are'} for ${outside.length === 1 ? 'a host' : 'hosts'} that this scan does not audit (${hosts.join(', ')}${more})`;
    const code = inside.length === 0 ? 'document_unreadable' : 'other_host';
    omissions.push({ code, subject, count: foreign, text });
  }
  return omissions;
}

const beyond = (count: number, one: string, many: string, bound: string): Omission[] =>
  count === 0
    ? []
    : [
        {
          code: 'too_many',
          subject: documents,
          count,
          text: `${counted(count, one, many)} of the API documents ${wasOrWere(count)} left out: ${bound}`,
        },
      ];

/** Names of hosts in a sentence. */
const maxHosts = 5;
