import { subversionRepository } from '../../../../workflows/checks/exposure/subversion-repository.check.ts';
import { sqliteFile } from '../../../fixtures/exposed/files.ts';
import { subversionSamples } from '../../../fixtures/exposed/special.ts';
import { html } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(subversionRepository, subversionSamples, {
  clean: {
    'has a database of another kind there': ({ path }) =>
      path === '/.svn/wc.db' ? { body: sqliteFile('CREATE TABLE NODES(a);') } : path === '/' ? html('x') : undefined,
  },
}).run();
