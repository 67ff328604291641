import type { HeaderList } from '../../model/http.ts';
import type { TlsProbe } from '../../model/tls.ts';
import type { Session } from '../observe.ts';

export type ScriptContext = {
  identities: Readonly<Record<string, Session>>;
  tls: TlsProbe;
  /** Headers of the org's own that the instruments send, besides what a step names. Their values are secret. */
  scopeHeaders?: HeaderList;
  /** Those of them that go with a request to this URL. */
  scopeHeadersFor?(url: string): HeaderList;
};
