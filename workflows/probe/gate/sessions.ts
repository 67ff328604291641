import type { CookieJar, HeaderList } from '../../model/http.ts';
import type { Gate } from './gate.ts';

type KnownSession = { name?: string; role: string; jar: CookieJar; headers: HeaderList };

/** Those who may do more than others, by what their role is called. */
const administrating = /admin|root|super|owner|manager|staff|moderator|editor|operator/i;

/** Requests with what opens this session count as its visitor's from now on. */
export function noteIdentity(gate: Pick<Gate, 'noteSession'>, { name, role, jar, headers }: KnownSession): void {
  const tokens = headers.map(([, value]) => value.replace(/^[A-Za-z]+ +(?=\S)/, ''));
  const cookies = jar.all().map(({ value }) => value);
  gate.noteSession([...cookies, ...tokens], administrating.test(role) ? 'admin' : 'user', name);
}
