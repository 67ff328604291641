import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { headMetas } from '../../../workflows/ownership/head-metas.ts';

const proof = '<meta name="proof" content="token">';
const test = suite('meta elements of a head');

const inHead = [
  proof,
  `<!doctype html><html lang=en><head><title>A</title>\n ${proof}`,
  `<head><link rel=icon><base href=/><style>p{}</style><script>if (a < b) "</p>"</script>${proof}</head><body>`,
  `<head></head>\n${proof}<body>`,
  `<head><META NAME="Proof" content='token'/>`,
  `<head><template><p>text</p></template>${proof}`,
  `<head></p>${proof}`,
  `<head><!-- a comment -->${proof}`,
];

const notInHead = [
  `<body>${proof}`,
  `text${proof}`,
  `<p>a</p>${proof}`,
  `<head></head>text${proof}`,
  `<head></body>${proof}`,
  `<!-- ${proof} -->`,
  `<head><title>${proof}</title>`,
  `<head><script>${proof}</script>`,
  `<head><style>${proof}</style>`,
  `<head><noscript>${proof}</noscript>`,
  `<head><noscript><!-- </noscript> -->${proof}`,
  `<head><template>${proof}</template>`,
  `<head><template><template></template>${proof}</template>`,
  `<head><template><svg><style><!--</style></template>${proof}-->`,
  `<head><textarea></textarea>${proof}`,
  `<frameset>${proof}</frameset>`,
  `<head><noframes>${proof}</noframes>`,
  `<svg>${proof}</svg>`,
];

/** As a browser's tree has it. */
function isInTree(html: string): boolean {
  const root = parse(html).childNodes.find(({ nodeName }) => nodeName === 'html');
  const head = root && 'childNodes' in root ? root.childNodes.find(({ nodeName }) => nodeName === 'head') : undefined;
  const isProof = (node: object) =>
    'attrs' in node && JSON.stringify(node.attrs).toLowerCase().includes('"value":"proof"');
  return head !== undefined && 'childNodes' in head && head.childNodes.some(isProof);
}

test('that stand in it are found', () => {
  for (const html of inHead) {
    assert.ok(isInTree(html), html);
    assert.equal(headMetas(html, 'proof'), { contents: ['token'], complete: true }, html);
  }
});

test('that stand elsewhere are not', () => {
  for (const html of notInHead) {
    assert.not.ok(isInTree(html), html);
    assert.equal(headMetas(html, 'proof').contents, [], html);
  }
});

test('a page is read in little time and memory, however it nests', () => {
  const page = `${Array.from({ length: 2_000 }, (_, index) => `<b id=${index}>`).join('')}${'<p>x'.repeat(100_000)}`;
  const before = process.cpuUsage();
  assert.equal(headMetas(page, 'proof').contents, []);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('a head that is too much to read to its end says so', () => {
  const flood = Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ');
  assert.equal(headMetas(`<head><link ${flood}>${proof}`, 'proof'), { contents: [], complete: false });
  assert.equal(headMetas(`<head>${proof}<link ${flood}>`, 'proof').contents, ['token']);
});

test.run();
