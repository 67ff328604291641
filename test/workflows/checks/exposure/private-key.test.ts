import { privateKey } from '../../../../workflows/checks/exposure/private-key.check.ts';
import { keySamples } from '../../../fixtures/exposed/keys.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(privateKey, keySamples).run();
