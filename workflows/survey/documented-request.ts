import type { DocumentedRequest } from '../../proto/gen/scanaudit/v1/domains_pb.ts';

/** A request that the org's documents describe, and that the scan may send. */
export type Documented = Pick<DocumentedRequest, 'method' | 'contentType' | 'body' | 'title'> & {
  /** In "query", "path", "body", "header" or "cookie". */
  parameters: readonly { name: string; in: string; sample: string }[];
  /** Absolute, or a path below whatever answers; {name} for each parameter in the path. */
  url: string;
};
