/** `npm run generate` writes proto/gen from proto/. */

import { projectFolder } from './config.ts';
import { generate } from './generated.ts';

await generate(projectFolder);
