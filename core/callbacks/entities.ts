import { defineEntity, p } from '@mikro-orm/core';

const callbackProtocols = ['http', 'https', 'dns', 'smtp', 'ldap'] as const;

/** A call of an audited host at the listener. */
export const CallbackEntity = defineEntity({
  name: 'Callback',
  tableName: 'callbacks',
  properties: {
    runId: p.uuid().primary(),
    token: p.text().primary(),
    protocol: p.enum(callbackProtocols).columnType('text').primary(),
    orgId: p.uuid(),
    address: p.text(),
    detail: p.text(),
    receivedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});
