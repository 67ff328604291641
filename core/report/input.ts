import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Permissions, Write } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { SiteMap } from '../../proto/gen/scanaudit/v1/surface_pb.ts';

/** What a report is about. */
export type ReportInput = {
  scan: Scan;
  findings: Finding[];
  run: {
    /** The verified domain that covers the host. */
    domain: string;
    /** "dns-txt", "http-file", "meta-tag" or "operator". */
    ownershipMethod: string;
    ownershipVerifiedAt?: Date;
    orgName: string;
  };
  /** What each visitor was shown; undefined when that was not asked. */
  permissions: Permissions | undefined;
  /** What was seen of the site. */
  siteMap: SiteMap;
  /** Requests that changed the target. */
  writes: Write[];
  now: Date;
};

export type ReportEntry = { anchor: string; title: string; entries?: ReportEntry[] };
