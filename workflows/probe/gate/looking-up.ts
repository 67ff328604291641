import { commandNames, type Field, type Form } from './form-parts.ts';
import { plainName } from './plain-name.ts';
import { calculating, filterNames, keeping, keepingUnspaced, lookingUp, searchNames, sending } from './words/fields.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';

/** Larger forms are not for looking something up. */
const maxFields = 12;

/** Nothing is typed in but what is looked for, filtered by, or calculated with. */
export function looksUp(form: Form, visible: readonly Field[]): boolean {
  if (visible.length === 0 || visible.length > maxFields || keepsByWords(form)) return false;
  const reported = actionWords(form);
  const isCalculator = reported.some((token) => calculating.test(token));
  if (visible.some(({ type }) => type === 'textarea')) return isCalculator && visible.length <= 3;
  if (form.isSearch || visible.some(({ type }) => type === 'search')) return true;
  const names = visible.map(({ name }) => nameOf(name));
  const areKnown = names.every((name) => searchNames.test(name) || filterNames.test(name));
  if (areKnown && names.some((name) => searchNames.test(name)) && !showsWhatItKeeps(form, visible)) return true;
  if (isCalculator) return true;
  // "/orders/search" looks something up, whatever its fields are called; "/xss_s" says nothing.
  if (reported.some((token) => lookingUp.test(token))) return true;
  if (choosesWhatIsShown(form, visible)) return true;
  // A POST of values that stand there already keeps settings more often than it filters.
  return form.method === 'GET' && areKnown && reported.some((token) => sending.test(token));
}

/** A POST of texts that stand there already, but for the one that is looked for. */
const showsWhatItKeeps = ({ method }: Form, visible: readonly Field[]): boolean =>
  method === 'POST' &&
  visible.some(({ type, name, value }) => type === 'text' && value !== '' && !searchNames.test(nameOf(name)));

/** A list on a page, from which a visitor chooses what this same page shows. */
const choosesWhatIsShown = ({ method, action, pageUrl }: Form, visible: readonly Field[]): boolean =>
  method === 'GET' &&
  pageUrl !== undefined &&
  new URL(action).pathname === new URL(pageUrl).pathname &&
  visible.every(({ type }) => type === 'select');

/** Its words or its long text say that it keeps something. */
export function keeps(form: Form, visible: readonly Field[]): boolean {
  return visible.some(({ type }) => type === 'textarea') || keepsByWords(form);
}

const keepsByWords = (form: Form): boolean =>
  actionWords(form).some((token) => keeping.test(token)) || keepingUnspaced.test(form.label ?? '');

/** Words of the last name in its path, of its buttons and of its commands. */
function actionWords({ action, label = '', fields }: Form): string[] {
  const { pathname } = new URL(action);
  const lastName = pathname
    .replace(/\/+$/, '')
    .replace(/^.*\//s, '')
    .replace(/\.[a-z]{1,5}$/i, '');
  const commands = fields.filter(({ name, type }) => type === 'submit' || commandNames.test(plainName(name)));
  return [decoded(lastName), label, ...commands.flatMap(({ value }) => [value])].flatMap(tokensOf);
}

/** "filter[brand]" is "brand", "product_filter[price]" "price". */
const nameOf = (name: string): string => folded(/\[(\w+)\](?:\[\])?$/.exec(name)?.[1] ?? name.replace(/\[\]$/, ''));
