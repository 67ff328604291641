/** Prints what the MDN HTTP Observatory says of a site: it changes its whole process, so it has one of its own. */
import { readFile } from 'node:fs/promises';
import { openObservatory } from '../../workflows/checks/headers/observatory.ts';

const [caFile = '', host = '', httpPort, httpsPort] = process.argv.slice(2);
const observatory = await openObservatory(await readFile(caFile, 'utf8'));
const opinions = await observatory.opinionsOn(host, { httpPort: Number(httpPort), httpsPort: Number(httpsPort) });
console.log(JSON.stringify(opinions));
process.exit(0);
