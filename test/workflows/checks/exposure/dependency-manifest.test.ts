import { dependencyManifest } from '../../../../workflows/checks/exposure/dependency-manifest.check.ts';
import { manifestSamples } from '../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(dependencyManifest, manifestSamples).run();
