import { z } from 'zod';

/** A setting is missing or wrong. The message names each one and says what to put there. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads a program's settings from its environment, once, at its edge.
 * Empty variables count as not set.
 * @throws ConfigError naming every bad variable
 */
export function readConfig<S extends z.ZodRawShape>(
  shape: S,
  env: Record<string, string | undefined>,
): z.infer<z.ZodObject<S>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`Settings are missing or wrong:\n${lines.join('\n')}`);
}

/** A TCP port; 0 means any free one. */
export const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

/** "host:port" of a server. */
export const address = (fallback?: string) => {
  const schema = z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i, 'use host:port, for instance 127.0.0.1:7233');
  return fallback === undefined ? schema : schema.default(fallback);
};

/** A whole number of at least `min`. */
export const count = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback);

/**
 * How long a program goes on taking requests after SIGTERM, while it reports that it is not ready: balancers
 * need as long to notice. Milliseconds.
 */
export const drainDelay = () => count(500);

/** "true" or "false". */
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'use true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

/** Words separated by commas; none when not set. */
export const list = () =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    );

export const logLevel = () => z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info');

/** A TCP or UDP port of something that is turned off when it is not set; 0 means any free one. */
export const optionalPort = () => z.coerce.number().int().min(0).max(65_535).optional();

/** What makes the tokens of callbacks; workers and listeners have the same. */
export const callbackSecret = () =>
  z.string('is not set').min(32, 'use at least 32 random characters, the same for workers and listeners');
