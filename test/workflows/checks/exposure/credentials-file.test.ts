import { credentialsFile } from '../../../../workflows/checks/exposure/credentials-file.check.ts';
import { credentialSamples } from '../../../fixtures/exposed/credentials.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(credentialsFile, credentialSamples).run();
