import { type MailServerOptions, startMailServer } from '../../../../fixtures/mail-server.ts';
import type { ScoreCase } from '../../../case.ts';
import { startNamed } from '../../../sites/names.ts';

const mailCase = (name: string, domain: string, vulnerable: MailServerOptions): ScoreCase => ({
  name,
  start: async (variant) => {
    const server = `mx.${domain}`;
    const { extensions, greeting } = vulnerable;
    const honest: MailServerOptions = { ...(extensions && { extensions }), ...(greeting && { greeting }) };
    const mail = await startMailServer(variant === 'vulnerable' ? vulnerable : honest);
    return startNamed({
      host: `www.${domain}`,
      zone: { [`${domain} MX`]: [{ preference: 10, exchange: server }], [`${server} A`]: ['127.0.0.1'] },
      options: { hosts: [server], mailPort: mail.port },
      alsoClose: mail.close,
    });
  },
});

export const cases: ScoreCase[] = [
  mailCase('server that was never given a certificate', 'ravensbourne-wool.com', { startTls: 'missing' }),
  mailCase('server whose key cannot be read', 'sturmfels-verlag.de', {
    startTls: 'refuses',
    greeting: '220 mail.sturmfels-verlag.de ESMTP Postfix',
    extensions: ['SIZE 52428800', '8BITMIME', 'DSN'],
  }),
  mailCase('server that breaks off at the handshake', 'ashgrove-cellars.co.uk', {
    startTls: 'breaks off',
    greeting: '220 ashgrove ESMTP Exim 4.96',
    extensions: ['PIPELINING', 'CHUNKING', 'HELP'],
  }),
];
