/** `npm run generate` writes proto/gen from proto/, and docs/checks.md from workflows/checks/. */

import { writeCatalogue } from './check-catalogue.ts';
import { projectFolder } from './config.ts';
import { generate } from './generated.ts';

await generate(projectFolder);
await writeCatalogue(projectFolder);
