import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../model/http.ts';
import { isSocketUrl, listeningBody } from '../model/socket-messages.ts';
import type { Submission } from './submission.ts';

type SendSubmission = (submission: Submission, isTrusted: boolean) => Promise<Exchange | undefined>;

export type Listening = {
  send: SendSubmission;
  /** Whether a submission was told to somebody who had not asked: to others who listen, or to who comes later. */
  isHeard(submission: Submission): boolean;
};

/** The one who listens is there by then. */
const aheadMs = 300;

/** Messages over a WebSocket are listened to over connections of their own: no page shows what becomes of them. */
export function createListening(send: SendSubmission): Listening {
  const heard = new Set<string>();
  return {
    isHeard: ({ words }) => words.some((word) => heard.has(word)),
    async send(submission, isTrusted) {
      if (!isSocketUrl(submission.url)) return send(submission, isTrusted);
      const listener = { ...submission, body: listeningBody(submission.body) };
      const beside = send(listener, isTrusted);
      await sleep(aheadMs);
      const answer = await send(submission, isTrusted);
      const told = [await beside, await send(listener, isTrusted)];
      for (const word of submission.words) if (told.some((each) => each?.text.includes(word))) heard.add(word);
      return answer;
    },
  };
}
