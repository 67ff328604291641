import type { Token } from 'acorn';

export type CodeToken = { label: string; value: unknown };

/** Tokens of code, in which a template without values is a string: minifiers write all strings so. */
export function* wholeTexts(tokens: Iterable<Token>): Generator<CodeToken> {
  let held: CodeToken[] = [];
  for (const token of tokens) {
    const read = { label: token.type.label, value: 'value' in token ? token.value : undefined };
    const [first, text] = held;
    if (read.label === '`' && text) {
      held = [];
      yield { label: 'string', value: text.value };
    } else if ((read.label === '`' && !first) || (read.label === 'template' && first && !text)) held.push(read);
    else {
      yield* held;
      held = [];
      yield read;
    }
  }
  yield* held;
}
