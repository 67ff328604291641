import { testBrowsers } from '../../../support/browsers.ts';
import { httpTarget, openFor } from '../support.ts';

/**
 * A process that shows a page with text of many scripts and every control of a form, and prints what the browser made of
 * it as JSON: the title and the families of the fonts that were used.
 */
const text =
  'Latin ąßœ Ελληνικά Кириллица עברית العربية हिन्दी ไทย 한국어 日本語 中文 ქართული Հայերեն 😀👩‍👩‍👧‍👦🏳️‍🌈 𝕬 ∮∑√ ☃ \u{10FFFD}';
const fields =
  'text password email number range color date time datetime-local month week file checkbox radio submit search tel url';
const page = `<!doctype html><title>drawn</title><meta charset="utf-8">
<p style="font-family: Arial">${text}</p><p style="font-family: 'Nobody Has This', fantasy">${text}</p>
<pre>${text}</pre><p style="font: italic bold 30px cursive">${text}</p><p style="font-family: emoji">${text}</p><math><mi>x</mi><mo>∑</mo></math>
<ul><li>one</ul><ol style="list-style: hiragana"><li>two</ol><ruby>漢<rt>kan</rt></ruby>
<select><option>${text}</option></select><select multiple><option>many</select><textarea>${text}</textarea><button>${text}</button>
${fields
  .split(' ')
  .map((type) => `<input type="${type}" placeholder="${text}">`)
  .join('')}
<input list="some"><datalist id="some"><option>${text}</datalist><progress></progress><meter></meter><details open><summary>${text}</summary></details>
<canvas id="canvas"></canvas><svg><text y="20">${text}</text></svg>
<script>canvas.getContext('2d').fillText(document.querySelector('p').textContent, 5, 20); console.log(canvas.toDataURL().length)</script>`;

const browsers = testBrowsers();
const target = await httpTarget((_request, response) =>
  response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
);
const probes = openFor(target.url, { browsers });
try {
  const { title } = await probes.browser.visit({ url: `${target.url}/`, timeoutMs: 60_000 });
  process.stdout.write(JSON.stringify({ title, families: await familiesOf(page) }));
} finally {
  await probes.close();
  await Promise.all([target.close(), browsers.close()]);
}

async function familiesOf(html: string): Promise<string[]> {
  const context = await (await browsers.browser()).newContext();
  const shown = await context.newPage();
  await shown.setContent(html);
  await shown.screenshot();
  const session = await context.newCDPSession(shown);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: -1 });
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body *' });
  const used = await Promise.all(nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })));
  await context.close();
  return [...new Set(used.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName)))].sort();
}
