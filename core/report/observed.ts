import { type Html, html, type Part } from '../../kit/html.ts';
import type { Assertion, HeaderField, Observation } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { markedExcerpt } from './excerpt.ts';
import { clip, count } from './text.ts';

const mostHeaders = 60;
/** Of an answer in which nothing decides by being there, as those of controls: enough to see what it is. */
const maxUnmarkedCharacters = 800;

/** Headers that say what an answer is. */
const tellingHeaders = /^(?:content-type|location)$/i;

/** What came back: what decides is in sight and marked, and what nothing was claimed about is folded away. */
export function observed({ summary, headers, excerpt, marks }: Observation, assertions: readonly Assertion[]): Html {
  const isMarked = (text: string) => marks.some((mark) => mark !== '' && text.includes(mark));
  const isAboutHeaders = assertions.some(({ subject }) => /^(?:header|cookie)/.test(subject));
  const isTelling = ({ name, value }: HeaderField) => isAboutHeaders || tellingHeaders.test(name) || isMarked(value);
  const shown = headers.slice(0, mostHeaders);
  const reported = shown.filter(isTelling);
  const others = shown.filter((header) => !reported.includes(header));
  const line = ({ name, value }: HeaderField) => html`${clip(name, 200)}: ${markedExcerpt(clip(value, 1_000), marks)}`;
  const end = isMarked(excerpt) ? excerpt.length : maxUnmarkedCharacters;
  const rest = excerpt.slice(end);
  return html`<div class="seen"><p class="pane-title">Observed</p><pre><code><strong>${clip(summary, 600)}</strong>${reported.map(
    (header) => html`\n${line(header)}`,
  )}${excerpt !== '' && html`\n\n${markedExcerpt(excerpt.slice(0, end), marks)}`}${rest !== '' && ' …'}</code></pre>${
    others.length > 0 &&
    folded(
      count(others.length, 'further header'),
      others.map((header, index) => html`${index > 0 && '\n'}${line(header)}`),
    )
  }${rest !== '' && folded('The rest of the excerpt', clip(rest, 8_000))}</div>`;
}

const folded = (summary: string, content: Part): Html =>
  html`<details class="more"><summary>${summary}</summary><pre><code>${content}</code></pre></details>`;
