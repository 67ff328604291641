import { adminPanels } from './admin-panels.ts';
import { apiDocuments } from './api-documents.ts';
import { buildFiles } from './build-files.ts';
import { containers } from './containers.ts';
import { credentials } from './credentials.ts';
import { dashboards } from './dashboards.ts';
import { debugPages } from './debug.ts';
import { serverDebugPages } from './debug-servers.ts';
import { dumps } from './dumps.ts';
import type { ExposedPath } from './entry.ts';
import { otherFrameworks } from './frameworks-other.ts';
import { phpFrameworks } from './frameworks-php.ts';
import { installers } from './installers.ts';
import { privateKeyPaths } from './keys.ts';
import { leftovers } from './leftovers.ts';
import { logPaths } from './logs.ts';
import { manifests } from './manifests.ts';
import { products } from './products.ts';
import { programs } from './programs.ts';
import { settings } from './settings.ts';
import { statusPaths } from './status.ts';
import { versionControl } from './version-control.ts';

/** Everything that is asked for by its name. A new subject is a file of its own beside this one. */
export const exposedPaths: readonly ExposedPath[] = [
  ...versionControl,
  ...settings,
  ...phpFrameworks,
  ...otherFrameworks,
  ...privateKeyPaths,
  ...credentials,
  ...dumps,
  ...logPaths,
  ...statusPaths,
  ...debugPages,
  ...serverDebugPages,
  ...dashboards,
  ...products,
  ...adminPanels,
  ...installers,
  ...buildFiles,
  ...containers,
  ...leftovers,
  ...manifests,
  ...programs,
  ...apiDocuments,
];
