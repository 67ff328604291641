import type { WritePlan } from '../../model/experiment.ts';
import type { Trial } from '../trial.ts';
import { hiddenFieldFilter } from './page-filters.ts';
import type { Role } from './plan.ts';
import { requestText } from './request-text.ts';
import { type RequestText, requestCommand } from './request-words.ts';
import { fieldOf } from './sources.ts';
import { type CommandText, comment, type Reference } from './text.ts';
import type { Writing } from './writing.ts';

type Undo = { identity: string; plan: WritePlan['undo']; request: RequestText; fresh: ReadonlyMap<string, Reference> };

/**
 * What puts back the changes of the steps, the last first.
 * @returns writes the lines; its values are read by steps that come before
 */
export function prepareUndo(
  { steps }: Pick<Trial, 'steps'>,
  roles: ReadonlyMap<number, Role>,
  writing: Writing,
): () => string[] {
  const undos = new Map<string, Undo>();
  for (const [index, { step, action, identity: stepIdentity }] of steps.entries()) {
    const write = 'http' in action && roles.has(index) && 'http' in step ? action.http.write : undefined;
    if (!write) continue;
    const { undo, identity = stepIdentity } = write;
    const key = JSON.stringify([identity, undo]);
    const secrets = 'http' in action ? (action.http.secrets ?? []) : [];
    undos.set(key, undos.get(key) ?? { identity, plan: undo, ...requestOf(undo, index, secrets, writing) });
  }
  return () => [...undos.values()].toReversed().flatMap((undo) => linesOf(undo, writing));
}

function requestOf(undo: WritePlan['undo'], index: number, secrets: readonly string[], { values, names }: Writing) {
  const fresh = new Map((undo.fresh?.capture ?? []).map(({ name }) => [name, { variable: names(name) }] as const));
  const put = (template: string, isEncoded = false): CommandText =>
    template.split(/(‹(?:encode:)?[A-Za-z][\w-]*›)/).flatMap((piece): CommandText => {
      const [, encode, name = ''] = /^‹(encode:)?([A-Za-z][\w-]*)›$/.exec(piece) ?? [];
      const known = fresh.get(name);
      if (known) return [{ ...known, as: encode === undefined ? undefined : 'encoded' }];
      return values(piece, index, { secrets, isEncoded });
    });
  return { request: requestText(undo, put), fresh };
}

function linesOf({ identity, plan, request, fresh }: Undo, { sessions, reach, names }: Writing): string[] {
  const booked = identity === '' ? undefined : sessions.ofIdentity(identity);
  const opening = booked ? sessions.open(booked) : [];
  const session = booked?.inShell().words ?? [];
  const options = { session, ...reach(plan.url) };
  const lines = [comment('Put back what was there.'), ...opening];
  if (plan.fresh) {
    const page: RequestText = { method: 'GET', url: [plan.fresh.url], headers: [] };
    const answer = names('ANSWER');
    lines.push(`${answer}=$(${requestCommand(page, { ...options, output: 'body' })})`);
    for (const { name, subject } of plan.fresh.capture) {
      const field = fieldOf(subject) ?? name;
      lines.push(`${fresh.get(name)?.variable}=$(printf '%s\\n' "\${${answer}}" | ${hiddenFieldFilter(field)})`);
    }
  }
  return [...lines, requestCommand(request, { ...options, output: 'drop' })];
}
