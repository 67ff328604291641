import type { EntityManager } from '@mikro-orm/postgresql';
import type { SiteMap } from '../../proto/gen/scanaudit/v1/surface_pb.ts';
import { inOrg } from '../db/session.ts';
import { findScan } from '../runs/find-scan.ts';
import { findSiteMap } from '../runs/site-map.ts';

/** What the audit saw of the site so far. @throws Refusal NOT_FOUND */
export const getSurface = (em: EntityManager, orgId: string, runId: string): Promise<SiteMap> =>
  inOrg(em, orgId, async (tx) => findSiteMap(tx, (await findScan(tx, orgId, runId)).runId));
