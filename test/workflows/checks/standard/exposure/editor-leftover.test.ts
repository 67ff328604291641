import { editorLeftover } from '../../../../../workflows/checks/standard/exposure/editor-leftover.ts';
import { leftoverSamples } from '../../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(editorLeftover, leftoverSamples).run();
