import type { Probe } from './probe.ts';

const served =
  (path: string, content: string): Probe =>
  async (visitor) => {
    const { status, text } = await visitor.get(path);
    return status === 200 && text.includes(content);
  };

export const fileProbes = {
  repositoryServed: served('/.git/HEAD', 'ref: refs/heads/main\n'),
  settingsServed: served('/.env', 'JWT_SECRET='),
  backupServed: served('/index.php.bak', '<?php'),
  sourceMapServed: served('/assets/studio.js.map', 'GET /api/invoices/{orderId}'),
  secretInScript: served('/assets/studio.js', "paymentKey = 'sk_live_"),
  folderListed: served('/downloads/', '<h1>Index of /downloads/</h1>'),
  statusForAll: served('/status', 'Node.js'),
  apiDescriptionForAll: served('/openapi.json', '"openapi":"3.0.3"'),
  oldLibrary: served('/assets/vendor/jquery-3.4.1.min.js', 'jQuery v3.4.1'),
  noSecurityContact: async (visitor) => (await visitor.get('/.well-known/security.txt')).status === 404,

  stackTraces: async (visitor) => {
    const answers = [await visitor.get('/%E0%A4%A'), await visitor.put('/api/me', {})];
    return answers.some(({ text }) => /^ +at .+\(.+:\d+:\d+\)$/m.test(text));
  },
} satisfies Record<string, Probe>;
