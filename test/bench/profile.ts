import { Client, Connection } from '@temporalio/client';
import { markdown } from './table.ts';

/** Seconds of one scan by what they were spent on. What runs beside each other counts each for itself. */
type Profile = Map<string, number>;

/** Reads from a scan's workflow history when each of its activities began and ended. */
export async function profileOf(temporalAddress: string, runId: string): Promise<Profile> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(`scan/${runId}`).fetchHistory();
    const profile: Profile = new Map();
    const scheduled = new Map<string, { name: string; ms: number }>();
    for (const event of events ?? []) {
      const ms = millisecondsOf(event.eventTime);
      const begun = event.activityTaskScheduledEventAttributes;
      if (begun) scheduled.set(String(event.eventId), { name: nameOf(begun), ms });
      const ended = event.activityTaskCompletedEventAttributes;
      const begin = ended && scheduled.get(String(ended.scheduledEventId));
      if (begin) profile.set(begin.name, (profile.get(begin.name) ?? 0) + (ms - begin.ms) / 1_000);
    }
    return profile;
  } finally {
    await connection.close();
  }
}

type Scheduled = {
  activityType?: { name?: string | null } | null;
  input?: { payloads?: { data?: Uint8Array | null }[] | null } | null;
};

/** The activity's name, with the family or step that it was for. */
function nameOf({ activityType, input }: Scheduled): string {
  const data = input?.payloads?.[0]?.data;
  const given = data ? (JSON.parse(Buffer.from(data).toString('utf8')) as Record<string, unknown>) : {};
  const { family, login, identity, step } = given;
  const actionId = typeof step === 'object' && step !== null && 'actionId' in step ? step.actionId : undefined;
  const detail = [family, actionId, login, identity].find((word) => typeof word === 'string' && word !== '');
  return [activityType?.name ?? '', detail ?? ''].join(' ').trim();
}

const millisecondsOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;

const maxLines = 12;

/**
 * The longest activities of a scan, and the longest checks of a worker, as a Markdown table.
 * @param checks seconds of each check over `scans` scans
 */
export function profileTable(
  title: string,
  profile: Profile,
  checks: ReadonlyMap<string, number>,
  scans: number,
): string {
  const [left, right] = [longest(profile, 1), longest(checks, scans)];
  const cells = (entry: readonly [string, number] | undefined) =>
    entry ? [entry[0], `${entry[1].toFixed(2)} s`] : ['', ''];
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...cells(left[index]),
    ...cells(right[index]),
  ]);
  return `${title}\n\n${markdown(['activity', 'last scan', 'check', 'mean'], lines)}`;
}

const longest = (seconds: ReadonlyMap<string, number>, divisor: number) =>
  [...seconds]
    .map(([name, value]) => [name, value / divisor] as const)
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxLines);
