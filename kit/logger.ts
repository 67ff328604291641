import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard error, so that standard output stays free for results. Secrets are masked by name. */
export function createLogger(program: string, level: string): Logger {
  return pino(
    {
      level,
      base: { program },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'cookie',
          '*.cookie',
          'password',
          '*.password',
          'secret',
          '*.secret',
        ],
        censor: '[masked]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
