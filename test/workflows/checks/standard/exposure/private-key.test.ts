import { privateKey } from '../../../../../workflows/checks/standard/exposure/private-key.ts';
import { keySamples } from '../../../../fixtures/exposed/keys.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(privateKey, keySamples).run();
