import { debugPage } from '../../../../workflows/checks/exposure/debug-page.check.ts';
import { debugSamples } from '../../../fixtures/exposed/debug.ts';
import { html } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

const builtManifest =
  'self.__BUILD_MANIFEST = {"/offer": ["static/chunks/a1.js"], "sortedPages": ["/_app", "/offer"]};';

exposedSuite(debugPage, debugSamples, {
  clean: {
    'serves the manifest of what was built': ({ path }) => {
      if (path === '/') return html('<script src="/_next/static/Xk3/_buildManifest.js"></script><div id=__next></div>');
      return path.endsWith('/_buildManifest.js')
        ? { headers: { 'content-type': 'text/javascript' }, body: builtManifest }
        : undefined;
    },
  },
}).run();
