import { localPath, queryValue } from '../form.ts';
import { notice } from '../layout.ts';
import { partners } from '../products.ts';
import type { Shop } from '../shop.ts';
import { type App, keepSession } from '../visit.ts';
import type { Weaknesses } from '../weaknesses.ts';

/** Links to partners go through here, so that the workshop can count them. */
export function redirector(app: App, shop: Shop): void {
  app.get('/go', (request, reply) => {
    const target = allowedTarget(shop.weaknesses, queryValue(request, 'to'));
    if (target === undefined)
      return notice(
        shop,
        request,
        reply,
        400,
        'We do not know this address',
        'The link you followed does not lead to one of our partners.',
      );
    keepSession(shop, reply, request.visit);
    return reply.redirect(target, 302);
  });
}

function allowedTarget(weaknesses: Weaknesses, target: string): string | undefined {
  const local = localPath(target);
  if (local !== undefined || !URL.canParse(target)) return local;
  const { protocol, origin, href } = new URL(target);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  const isPartner = partners.some((partner) => new URL(partner.url).origin === origin);
  return isWeb && (weaknesses.anyRedirectTarget || isPartner) ? href : undefined;
}
