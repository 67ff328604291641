import type { MessageInitShape } from '@bufbuild/protobuf';
import type { LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';

export const demoHost = 'shop.localhost';

/** Customers and staff of the shop, as its database is filled. */
export const identities = {
  a: {
    email: 'anna.berg@mail.example',
    password: 'quiet-harbour-71',
    name: 'Anna Berg',
    street: '14 Mill Lane',
    city: 'Westbridge',
    role: 'customer',
  },
  b: {
    email: 'ben.okafor@mail.example',
    password: 'amber-lantern-38',
    name: 'Ben Okafor',
    street: '3 Orchard Rise',
    city: 'Eastfield',
    role: 'customer',
  },
  admin: {
    email: 'maren.holm@shop.localhost',
    password: 'walnut-compass-92',
    name: 'Maren Holm',
    street: '1 Workshop Yard',
    city: 'Westbridge',
    role: 'admin',
  },
} as const;

export type IdentityName = keyof typeof identities;

/** How an audit logs in to the shop at `url` as each of its people, in the shape that DomainService takes. */
export function demoLogins(url: string): Record<IdentityName, MessageInitShape<typeof LoginSchema>> {
  return { a: formLogin(url, 'a'), b: formLogin(url, 'b'), admin: formLogin(url, 'admin') };
}

/** The log-in of one of its people. */
export function formLogin(url: string, name: IdentityName) {
  const { email, password, role } = identities[name];
  const form = { url: new URL('/login', url).href, username: email, password };
  return {
    kind: { case: 'form' as const, value: form },
    checkUrl: new URL('/account', url).href,
    role: role === 'admin' ? 'admin' : 'user',
  };
}
