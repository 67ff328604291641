import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type AddressPermissionsSchema,
  PermissionOutcome,
  type PermissionSchema,
  type Permissions,
  PermissionsSchema,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';

type Cell = Omit<MessageInitShape<typeof PermissionSchema>, '$typeName'>;
type Row = Omit<MessageInitShape<typeof AddressPermissionsSchema>, '$typeName'>;

const { SHOWN, WITHHELD, REFUSED, LOGIN, REDIRECTED, NOT_FOUND, OTHER, NOT_TRIED } = PermissionOutcome;

export const open: Cell = { outcome: SHOWN, status: 200 };
export const own: Cell = { outcome: SHOWN, status: 200, private: true };
export const as = (sameAs: string): Cell => ({ ...own, sameAs });
export const refused: Cell = { outcome: REFUSED, status: 403 };
export const toLogin: Cell = { outcome: LOGIN, status: 303, detail: 'https://shop.example/login?next=%2Forders' };
export const notTried = (detail: string): Cell => ({ outcome: NOT_TRIED, detail });

export const row = (path: string, route: string, linkedFor: string[], permissions: Cell[]): Row => ({
  url: `https://shop.example${path}`,
  route,
  linkedFor,
  permissions,
});

/** What a visitor without a login, two customers and an administrator of a shop were shown. */
export const samplePermissions = (addresses: Row[] = sampleRows): Permissions =>
  create(PermissionsSchema, {
    visitors: [
      { name: '' },
      { name: 'a', role: 'user' },
      { name: 'b', role: 'user' },
      { name: 'admin', role: 'admin', administrator: true },
    ],
    addresses,
  });

const everybody = ['', 'a', 'b', 'admin'];

const sampleRows: Row[] = [
  row('/orders/1041', '/orders/{id}', ['a', 'admin'], [toLogin, own, as('a'), as('a')]),
  row(
    '/api/orders/2044',
    '/api/orders/{id}',
    ['b', 'admin'],
    [{ outcome: REFUSED, status: 401 }, as('b'), own, as('b')],
  ),
  row('/account', '/account', ['a', 'b', 'admin'], [toLogin, own, own, own]),
  row('/admin', '/admin', ['admin'], [toLogin, refused, { outcome: NOT_FOUND, status: 404 }, own]),
  row(
    '/reports',
    '/reports',
    ['admin'],
    [{ outcome: OTHER, status: 500 }, { outcome: WITHHELD, status: 200 }, refused, own],
  ),
  row('/openapi.json', '/openapi.json', ['admin'], [open, open, open, open]),
  row('/logout', '/logout', ['a', 'b', 'admin'], Array<Cell>(4).fill(notTried('the link may do something: "logout"'))),
  row('/', '/', everybody, [open, open, open, open]),
  row(
    '/go',
    '/go',
    everybody,
    Array<Cell>(4).fill({ outcome: REDIRECTED, status: 302, detail: 'https://shop.example/about' }),
  ),
];
