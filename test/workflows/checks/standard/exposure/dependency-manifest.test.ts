import { dependencyManifest } from '../../../../../workflows/checks/standard/exposure/dependency-manifest.ts';
import { manifestSamples } from '../../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(dependencyManifest, manifestSamples).run();
