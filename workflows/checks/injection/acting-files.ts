import type { CheckContext } from '../contract.ts';
import { sessionOf } from './stored-reads.ts';
import type { ActiveFile } from './upload-files.ts';
import type { KeptFile } from './upload-places.ts';

/** Whether a file of ours does something where it is kept. @throws ProbeError */
export async function acts(
  context: CheckContext,
  { effect }: ActiveFile,
  kept: Pick<KeptFile, 'url' | 'viewer' | 'answer'>,
  put: (text: string) => string,
): Promise<boolean> {
  if (effect !== 'opens') return kept.answer.text.includes(put(effect.runs));
  const isSaved = /attachment/i.test(kept.answer.header('content-disposition') ?? '');
  if (isSaved || !/html|svg/i.test(kept.answer.header('content-type') ?? '')) return false;
  const isDone = ({ dialogs }: { dialogs: readonly string[] }) => dialogs.includes(put('‹nonce›'));
  return isDone(await context.browser.visit({ url: kept.url, ...sessionOf(context, kept.viewer), isDone }));
}
