import { adminPanel } from '../../../../workflows/checks/exposure/admin-panel.check.ts';
import { panelSamples } from '../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(adminPanel, panelSamples).run();
