import { editorLeftover } from '../../../../workflows/checks/exposure/editor-leftover.check.ts';
import { leftoverSamples } from '../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(editorLeftover, leftoverSamples).run();
