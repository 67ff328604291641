import { apiDocument } from '../../../../../workflows/checks/standard/exposure/api-document.ts';
import { apiSamples } from '../../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(apiDocument, apiSamples).run();
