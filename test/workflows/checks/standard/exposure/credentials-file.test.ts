import { credentialsFile } from '../../../../../workflows/checks/standard/exposure/credentials-file.ts';
import { credentialSamples } from '../../../../fixtures/exposed/credentials.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(credentialsFile, credentialSamples).run();
