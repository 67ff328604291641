import { makeRepository } from '../../../../fixtures/repository.ts';
import { html, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const files = { 'index.php': '<?php echo 1;', 'config.php': "<?php $password = 'tRz8kk41';" };

type Shape = { name: string; base: string; storage: 'loose' | 'packed'; refused?: RegExp };

const shapes: Shape[] = [
  { name: 'a checkout as it was cloned', base: '/.git/', storage: 'packed' },
  { name: 'a working copy below a folder', base: '/shop/.git/', storage: 'loose' },
  {
    name: 'a repository of which a rule hides HEAD and config alone',
    base: '/.git/',
    storage: 'packed',
    refused: /HEAD|config/,
  },
];

export const cases: ScoreCase[] = shapes.map(({ name, base, storage, refused }) => ({
  name,
  async start(variant) {
    const repository = await makeRepository([files, { ...files, 'b.php': '<?php' }], storage);
    const site = await startSite(({ path }) => {
      if (path === '/' || path === '/shop/list') return html('<a href="/shop/list">list</a>');
      if (!path.startsWith(base) || variant === 'patched' || refused?.test(path)) return undefined;
      return repository.serve(path.slice(base.length));
    });
    return { url: site.url, close: () => site.close().then(() => repository.remove()) };
  },
}));
