import { getDomain } from 'tldts';
import { claim, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';

/** An origin of another site, which nobody has. Over HTTP where the address is, since browsers block that in pages of HTTPS. */
export const foreignOrigin = (url: string): string => `${new URL(url).protocol}//‹nonce›.invalid`;

/**
 * Another origin of the same site, to which SameSite cookies are sent: a name below the host, or another of its ports where a host has
 * no names below it (an address, "localhost"). Source: HTML Standard, schemelessly same site.
 */
export function siblingOrigin(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) === null
    ? `${protocol}//${hostname}:${port === '65533' ? '65531' : '65533'}`
    : `${protocol}//‹nonce›.${hostname}`;
}

/** What the page shows when the browser keeps the answer from it. */
const refused = 'The browser does not show this answer to the page.';

/** A page asks with the visitor's cookies and shows the answer. It is done when it has loaded, so that no deadline decides. */
const pageThatReads = (url: string): string => `<!doctype html>
<title>A page of another origin</title>
<pre id="answer"></pre>
<script>
  const request = new XMLHttpRequest();
  request.open('GET', ${inScript(url)}, false);
  request.withCredentials = true;
  try {
    request.send();
    answer.textContent = request.responseText;
  } catch {
    answer.textContent = ${inScript(refused)};
  }
</script>
`;

/** A page causes a request whose answer it cannot read, as every image on the web does. */
const pageThatAsks = (url: string): string =>
  `<!doctype html>\n<title>A page of another origin</title>\n<img src="${url.replaceAll('&', '&amp;').replaceAll('"', '%22')}" alt="">\n`;

const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

type ForeignVisit = {
  origin: string;
  /** As the URL Standard writes it. */
  url: string;
  /** Whose session is in the browser; nobody's without it. */
  identity?: string;
  note: string;
};

const visit = ({ origin, identity, note }: ForeignVisit, page: string, expect: Step['expect']): Step => ({
  browser: { url: `${origin}/`, page },
  ...(identity === undefined ? {} : { identity }),
  note,
  expect,
});

/** A page of the origin reads a text in the answer of the address. */
export const readsStep = (step: ForeignVisit, text: string): Step =>
  visit(step, pageThatReads(step.url), [claim('browser:html', 'contains', text, 'What the page was shown.')]);

/** A page of the origin is not shown the answer of the address. */
export const refusedStep = (step: ForeignVisit): Step =>
  visit(step, pageThatReads(step.url), [
    claim('browser:html', 'contains', `<pre id="answer">${refused}</pre>`, 'The browser refused.'),
  ]);

/** The browser sends these cookies along with a request that a page of the origin causes. */
export const sendsStep = (step: ForeignVisit, cookies: readonly string[]): Step =>
  visit(step, pageThatAsks(step.url), sentClaims(step.url, cookies));

/** The browser sent these cookies to the address. */
export const sentClaims = (url: string, cookies: readonly string[]): Step['expect'] =>
  cookies.map((name) => {
    const line = `(?m)^${escapePattern(`${url} ${name}`)}$`;
    return claim('browser:cookies-sent', 'matches', line, `The browser sent the cookie "${name}" along.`);
  });
