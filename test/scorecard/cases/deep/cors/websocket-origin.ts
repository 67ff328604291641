import type { ScoreCase } from '../../../case.ts';
import { type MessageAccount, startMessageAccount } from '../../../sites/message-account.ts';

const own = (origin: string, host: string) => origin === `https://${host}`;

const caseOf = (
  name: string,
  design: Pick<MessageAccount, 'attributes' | 'message'>,
  patch: Partial<MessageAccount>,
): ScoreCase => ({
  name,
  start: (variant) => startMessageAccount({ ...design, trusts: () => true, ...(variant === 'patched' ? patch : {}) }),
});

export const cases: ScoreCase[] = [
  caseOf(
    'session that is sent from everywhere',
    { attributes: 'Path=/; HttpOnly; Secure; SameSite=None', message: { type: 'getProfile' } },
    { trusts: own },
  ),
  caseOf(
    'session that stays in the site',
    { attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax', message: { action: 'list', folder: 'inbox' } },
    { hasToken: true },
  ),
  caseOf(
    'a request by its name',
    { attributes: 'Path=/; Secure', message: { method: 'show', id: 4, params: { of: 'berth' } } },
    { isPublic: true },
  ),
];
