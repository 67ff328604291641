import { type Html, html } from '../../kit/html.ts';
import type { ChainLink } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { clip, givenText, shorten } from './text.ts';

const width = 360;
const lineHeight = 18;
const charactersALine = 36;
const mostLinks = 12;
const gap = 44;

/** The way of an attack from top to bottom: each box a weakness, each arrow what it gives to the next. */
export function chainPicture(links: readonly ChainLink[], id: string): Html {
  const boxes = layOut(links.slice(0, mostLinks));
  const last = boxes.at(-1);
  const height = last ? last.y + last.height + gap : 0;
  return html`<figure class="picture chain">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">Attack chain of ${links.length} steps</title>
<desc id="${id}-desc">${links.slice(0, mostLinks).map((link, index) => spoken(link, index))}</desc>
${boxes.map(box)}
</svg><figcaption>How the weaknesses connect. The marked step is the one to fix first: of these it breaks the most chains.</figcaption></figure>`;
}

const spoken = (link: ChainLink, index: number) =>
  `${index + 1}. ${clip(link.title, 200)}, which gives ${clip(givenText(link.gives), 100)}${link.breaksChain ? '; fixing it breaks the chain' : ''}. `;

type Box = { link: ChainLink; index: number; lines: string[]; y: number; height: number; isLast: boolean };

function layOut(links: readonly ChainLink[]): Box[] {
  let y = 2;
  return links.map((link, index) => {
    const lines = wrap(clip(link.title, 120), charactersALine).slice(0, 3);
    const height = 22 + lines.length * lineHeight + (link.breaksChain ? lineHeight : 0);
    const placed = { link, index, lines, y, height, isLast: index === links.length - 1 };
    y += height + gap;
    return placed;
  });
}

function box({ link, index, lines, y, height, isLast }: Box): Html {
  const end = y + height;
  return html`<rect x="2" y="${y}" width="${width - 4}" height="${height}" rx="8" class="box${link.breaksChain && ' breaks'}"/>
<circle cx="28" cy="${y + 24}" r="13" class="step-number${link.breaksChain && ' breaks'}"/>
<text x="28" y="${y + 29}" text-anchor="middle" class="step-digit">${index + 1}</text>
${lines.map((line, row) => html`<text x="54" y="${y + 28 + row * lineHeight}" class="title">${line}</text>`)}
${link.breaksChain && html`<text x="54" y="${y + 28 + lines.length * lineHeight}" class="fix">Fix this to break the chain</text>`}
<path d="M28 ${end}V${end + (isLast ? 16 : gap - 8)}" class="arrow"/>
<path d="M23 ${end + (isLast ? 14 : gap - 10)}l5 8l5 -8z" class="arrow-head"/>
<text x="54" y="${end + 27}" class="${isLast ? 'goal' : 'gives'}">${isLast && 'Result: '}${shorten(givenText(link.gives), 44)}</text>`;
}

/** Breaks text between words; words longer than a line are cut. Wide characters of East Asian scripts count twice. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((long) => pieces(long, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return line === '' ? lines : [...lines, line];
}

const columnsOf = (text: string) => [...text].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);
const isWide = (character: string) =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    character,
  );

function pieces(word: string, columns: number): string[] {
  const cut: string[] = [''];
  for (const character of word) {
    const last = cut.at(-1) ?? '';
    if (columnsOf(last + character) > columns) cut.push(character);
    else cut[cut.length - 1] = last + character;
  }
  return cut;
}
