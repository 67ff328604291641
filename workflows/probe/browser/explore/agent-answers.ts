import * as z from 'zod';
import type { TakenForm } from '../../../model/browser.ts';
import { parseJson } from '../../../model/json.ts';
import type { Control, UsedControls } from './agent.ts';

/** What a page says of itself is anybody's: it is taken as far as it has the agent's form, and cut. */
const text = z.string().transform((long) => long.slice(0, 300));
const count = z.number().int().min(0).max(1_000_000);
const control: z.ZodType<Control> = z.object({
  id: count,
  events: z.array(text).max(30),
  texts: z.array(text).max(100),
  label: text,
  form: z.object({ hasSecret: z.boolean(), method: text }).optional(),
  signature: z.string().transform((long) => long.slice(0, 400)),
  kind: text,
}) as z.ZodType<Control>;

const maxControls = 500;
const maxRoutes = 500;
const collected = z.object({ controls: z.array(z.unknown()), left: count });
const used: z.ZodType<UsedControls> = z.object({ count, changed: z.boolean(), gone: z.array(count).max(maxControls) });

export function readCollected(reported: unknown): { controls: Control[]; left: number } {
  const { data } = collected.safeParse(reported);
  if (!data) return { controls: [], left: 0 };
  return {
    controls: data.controls.slice(0, maxControls).flatMap((each) => control.safeParse(each).data ?? []),
    left: data.left,
  };
}

export const readCount = (reported: unknown): number => count.safeParse(reported).data ?? 0;

export const readUsed = (reported: unknown): UsedControls | undefined => used.safeParse(reported).data;

const takenForm = z.array(text).min(1).max(200);

export const readTakenForms = (reported: unknown): TakenForm[] =>
  Array.isArray(reported)
    ? reported.slice(0, maxRoutes).flatMap((each) => {
        const [action, ...names] = takenForm.safeParse(parseJson(String(each))).data ?? [];
        return action !== undefined && URL.canParse(action) ? [{ action, names }] : [];
      })
    : [];

export const readRoutes = (reported: unknown): string[] =>
  Array.isArray(reported)
    ? reported
        .slice(0, maxRoutes)
        .filter((each) => typeof each === 'string' && each.length <= 2_048 && URL.canParse(each))
    : [];
