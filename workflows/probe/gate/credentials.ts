import type { FormSurface } from '../../model/surface.ts';
import { keeping } from './words/fields.ts';
import { decoded, folded } from './words/spelling.ts';

/** Names of lists of what lets its holder in, or reports to somebody else what happens: API keys, access tokens, webhooks. */
const credentialLists =
  /^(?:(?:my|user|account)[-_]?)?(?:(?:api|access|personal|personal[-_]?access|app|application|auth|bearer|deploy|ssh|gpg|rss|feed|service|oauth2?)[-_]?)?(?:keys|tokens)$|^(?:(?:api|access|deploy|ssh|gpg)[-_]?key|(?:api|access|personal[-_]?access|app|deploy|feed|rss)[-_]?token|app(?:lication)?[-_]?passwords?|web[-_]?hooks?|oauth2?[-_]?(?:apps?|applications?|clients?)|service[-_]?accounts?)$/;
const madeByButton =
  /^(?:create|generate|add|new|issue|make|get)\b.*\b(?:(?:api|ssh|gpg|deploy|access) ?keys?|(?:(?:api|access|personal|bearer|app|deploy) ?)?tokens?|app(?:lication)? passwords?|web ?hooks?|credentials?)$/;

/** Its address or its button says that it makes a key of somebody's account: "POST /keys/save", "Generate token". */
export function makesCredential({ action, method, label = '' }: Pick<FormSurface, 'action' | 'method' | 'label'>) {
  if (method !== 'POST') return false;
  const segments = new URL(action).pathname
    .split('/')
    .filter(Boolean)
    .map((each) => folded(decoded(each)));
  const [last = '', before = ''] = segments.toReversed();
  return (
    credentialLists.test(last) ||
    (keeping.test(last) && credentialLists.test(before)) ||
    madeByButton.test(folded(label).trim())
  );
}
