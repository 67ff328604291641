import { apiDocument } from '../../../../workflows/checks/exposure/api-document.check.ts';
import { apiSamples } from '../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(apiDocument, apiSamples).run();
