import { adminPanel } from '../../../../../workflows/checks/standard/exposure/admin-panel.ts';
import { panelSamples } from '../../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(adminPanel, panelSamples).run();
