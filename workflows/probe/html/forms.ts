import { baseOfTree } from './base.ts';
import { controlOf, type FormControl } from './controls.ts';
import type { HtmlElement, HtmlNode, HtmlTree } from './parse.ts';
import { textOf } from './text.ts';
import { attributeOf, isElement, isNamed } from './tree.ts';

/** A form of a page, as it stands before script touches it. */
export type HtmlForm = {
  element: HtmlElement;
  pageUrl: string;
  /** What addresses of the page are relative to. */
  base: string;
  /** In document order. */
  controls: FormControl[];
  attribute(name: string): string | undefined;
};

/** @property loose controls that belong to no form */
type PageForms = { forms: HtmlForm[]; loose: FormControl[] };

/** What the elements around an element mean for controls. */
type FormContext = { isDisabled: boolean; form: HtmlElement | undefined; label: HtmlElement | undefined };

const controlNames = ['input', 'button', 'select', 'textarea'];
/** Controls that a label names; those that are hidden have none. */
const isLabelable = (element: HtmlElement): boolean => attributeOf(element, 'type')?.toLowerCase() !== 'hidden';

/**
 * The forms of a page with the controls that belong to them, by HTML Standard §4.10.17.3: the `form` attribute goes before
 * the form that the parser was in, and that before the form around a control. What stands in a template is no part of the page.
 */
export function readForms(tree: HtmlTree, pageUrl: string): PageForms {
  const base = baseOfTree(tree, pageUrl);
  const forms = new Map<HtmlElement, HtmlForm>();
  const byId = new Map<string, HtmlElement>();
  const labels = new Map<string, HtmlElement>();
  const found: { element: HtmlElement; context: FormContext }[] = [];
  for (const { element, context } of elementsIn(tree.document)) {
    const id = attributeOf(element, 'id') ?? '';
    // Of several with an id the first one counts, whatever it is.
    if (id !== '' && !byId.has(id)) byId.set(id, element);
    const labelled = isNamed(element, 'label') ? attributeOf(element, 'for') : undefined;
    if (labelled !== undefined && !labels.has(labelled)) labels.set(labelled, element);
    if (isNamed(element, 'form')) forms.set(element, formAt(element, pageUrl, base));
    if (controlNames.some((name) => isNamed(element, name))) found.push({ element, context });
  }
  const textBy = labelReader(labels);
  const loose: FormControl[] = [];
  for (const { element, context } of found) {
    const control = controlOf(element, { isDisabled: context.isDisabled, label: textBy(element, context.label) });
    const formId = attributeOf(element, 'form');
    const owner = formId === undefined ? (tree.owners.get(element) ?? context.form) : byId.get(formId);
    const form = owner && forms.get(owner);
    (form ? form.controls : loose).push(control);
  }
  for (const form of forms.values()) form.controls = withOneRadioEach(form.controls);
  return { forms: [...forms.values()], loose };
}

const formAt = (element: HtmlElement, pageUrl: string, base: string): HtmlForm => ({
  ...{ element, pageUrl, base, controls: [] },
  attribute: (name) => attributeOf(element, name),
});

/** Elements of the page in document order, each with what stands around it. */
function* elementsIn(document: HtmlNode): Generator<{ element: HtmlElement; context: FormContext }> {
  const outside: FormContext = { isDisabled: false, form: undefined, label: undefined };
  const work: { node: HtmlNode; context: FormContext }[] = [{ node: document, context: outside }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { node, context } = next;
    if (isElement(node)) yield { element: node, context };
    if (!('childNodes' in node) || (isElement(node) && isNamed(node, 'select'))) continue;
    const inner = isElement(node) ? contextIn(node, context) : context;
    const legend = inner.isDisabled && !context.isDisabled ? node.childNodes.find(isLegend) : undefined;
    // The first legend of a disabled fieldset is not disabled with it. Source: HTML Standard §4.10.18.5.
    for (const child of node.childNodes.toReversed())
      work.push({ node: child, context: child === legend ? { ...inner, isDisabled: false } : inner });
  }
}

const isLegend = (node: HtmlNode): boolean => isElement(node) && isNamed(node, 'legend');

function contextIn(element: HtmlElement, context: FormContext): FormContext {
  if (isNamed(element, 'form')) return { ...context, form: element };
  if (isNamed(element, 'label')) return { ...context, label: element };
  const isOff =
    isNamed(element, 'datalist') || (isNamed(element, 'fieldset') && attributeOf(element, 'disabled') !== undefined);
  return isOff ? { ...context, isDisabled: true } : context;
}

/** The text of the label that names a control, by its id or around it: there it is that of the first one inside. */
function labelReader(byId: ReadonlyMap<string, HtmlElement>) {
  const taken = new Set<HtmlElement>();
  return (control: HtmlElement, around: HtmlElement | undefined): string => {
    if (!isLabelable(control)) return '';
    const id = attributeOf(control, 'id') ?? '';
    const isNamedAround = around !== undefined && attributeOf(around, 'for') === undefined && !taken.has(around);
    if (isNamedAround) taken.add(around);
    const label = (id === '' ? undefined : byId.get(id)) ?? (isNamedAround ? around : undefined);
    return label ? textOf(label).trim() : '';
  };
}

/** Of radio buttons of one name the last that is marked is the one that is ticked. Source: HTML Standard §4.10.5.1.16. */
function withOneRadioEach(controls: readonly FormControl[]): FormControl[] {
  const isTickedRadio = ({ type, isTicked, name }: FormControl) => type === 'radio' && isTicked && name !== '';
  const last = new Map(controls.filter(isTickedRadio).map((control) => [control.name, control]));
  return controls.map((control) =>
    isTickedRadio(control) && last.get(control.name) !== control ? { ...control, isTicked: false, sent: [] } : control,
  );
}
