import { parentPort, workerData } from 'node:worker_threads';
import { DocumentFault } from './draft.ts';
import { readDocument } from './read-document.ts';

/** Runs in a thread of its own: reads one document and says what came of it. */
try {
  parentPort?.postMessage({ read: readDocument(String(workerData)) });
} catch (error) {
  if (!(error instanceof DocumentFault)) throw error;
  parentPort?.postMessage({ fault: error.message });
}
