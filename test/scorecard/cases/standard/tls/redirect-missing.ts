import { type Handler, html, redirect } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { onTwoPorts } from '../../../sites/two-ports.ts';

const shop: Handler = ({ path }) =>
  path === '/' ? html('<h1>Lantern Books</h1><form action="/find"><input name="q"></form>') : undefined;

const club: Handler = ({ path }) => {
  if (path === '/') return redirect('/index.php');
  return path === '/index.php' ? html('<table><tr><td>Fixtures and results</td></tr></table>') : undefined;
};

const app: Handler = ({ path }) =>
  path === '/'
    ? html('<div id="root"></div><script>document.title = "Ledger"</script><noscript>Needs script</noscript>')
    : undefined;

const served = (name: string, host: string, pages: Handler, mended: Handler): ScoreCase => ({
  name,
  start: (variant) => onTwoPorts(host, variant === 'vulnerable' ? pages : mended, pages),
});

export const cases: ScoreCase[] = [
  served('shop with the same pages on both ports', 'www.lantern-books.shop', shop, () =>
    redirect('https://www.lantern-books.shop/', 301),
  ),
  served('club that leads to its script first', 'www.eastend-rowing.shop', club, ({ target }) =>
    redirect(`https://www.eastend-rowing.shop${target}`, 308),
  ),
  served('single-page app whose http port refuses', 'app.ledgerline.shop', app, () =>
    html('<h1>Use HTTPS</h1>', 426, { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'upgrade' }),
  ),
];
