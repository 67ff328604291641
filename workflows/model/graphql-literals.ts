import { readJson } from '../../kit/json.ts';

/** A value that stands in the text of a GraphQL document. @property name of its argument, with that of its field before it */
type GraphQlLiteral = { start: number; end: number; name: string; value: string };

/** Comments, block strings, strings, numbers, names with what follows them, and signs. Source: GraphQL specification §2.1. */
const lexeme =
  /#[^\n]*|"""[\s\S]*?"""|"((?:[^"\\\n]|\\.)*)"|(?<![\w$])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)|\$?[A-Za-z_]\w*|[(){}[\]:@]/g;

/** Texts and numbers of the arguments of a document, also those within objects and lists, in their order; those of directives are none. */
export function graphQlLiterals(document: string): GraphQlLiteral[] {
  const literals: GraphQlLiteral[] = [];
  let [field, argument, previous, depth] = ['', '', '', 0];
  let isDirective = false;
  for (const match of document.matchAll(lexeme)) {
    const [whole, text] = match;
    if (whole.startsWith('#')) continue;
    if (whole === '(') depth += 1;
    else if (whole === ')') {
      depth -= 1;
      isDirective = false;
    } else if (whole === ':') {
      if (depth > 0) argument = previous;
    } else if (/^["\d-]/.test(whole)) {
      const isPlain = !whole.startsWith('"""');
      if (depth > 0 && argument !== '' && !isDirective && isPlain)
        literals.push({
          ...{ start: match.index, end: match.index + whole.length },
          name: field === '' ? argument : `${field}.${argument}`,
          value: text === undefined ? whole : unescaped(text),
        });
    } else if (/^[A-Za-z_]/.test(whole)) {
      if (depth === 0) {
        field = whole;
        isDirective = previous === '@';
      }
      previous = whole;
      continue;
    }
    previous = whole;
  }
  return literals;
}

/** The document with a value in the place of its literal of this number: a number stays one, if the value is one. */
export function graphQlWith(document: string, index: number, value: string): string {
  const place = graphQlLiterals(document)[index];
  if (!place) return document;
  const isNumber = !document.slice(place.start, place.end).startsWith('"') && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value);
  return document.slice(0, place.start) + (isNumber ? value : JSON.stringify(value)) + document.slice(place.end);
}

/** As JSON writes it, whose escapes GraphQL has too. */
const unescaped = (text: string): string => String(readJson(`"${text}"`) ?? text);
