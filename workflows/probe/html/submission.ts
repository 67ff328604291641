import type { FormControl } from './controls.ts';
import { type HtmlForm, readForms } from './forms.ts';
import { resolve } from './links.ts';
import { wholeTree } from './tree.ts';

/** Where a form goes, and how. */
export type FormTarget = {
  /** Absolute and without fragment; undefined where it leads elsewhere than to http and https, or by another method than these. */
  action: string | undefined;
  /** What stands in the page for the address. */
  written: string;
  /** A form of a dialog only closes it: nothing is sent. */
  method: 'GET' | 'POST' | 'DIALOG';
  enctype: 'application/x-www-form-urlencoded' | 'multipart/form-data' | 'text/plain';
};

/** A name with a value that a form sends, and the kind of control that it is of. */
export type FormEntry = { name: string; value: string; type: string };

/** A form as a browser sends it from the page as it stands. */
export type SentForm = {
  /** Absolute. */
  action: string;
  method: 'GET' | 'POST';
  enctype: FormTarget['enctype'];
  entries: FormEntry[];
};

const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;

/**
 * A button may say another target than its form. Source: HTML Standard §4.10.18.6. Attributes of htmx go before both: it sends the
 * form in place of the browser. Source: htmx 2 reference, `hx-get` and its like.
 * @param button that is pressed, if any
 */
export function targetOf({ attribute, pageUrl, base }: HtmlForm, button?: FormControl): FormTarget {
  const sent = (button && sentByHtmx(button.attribute)) ?? sentByHtmx(attribute);
  const written = sent?.address ?? button?.attribute('formaction') ?? attribute('action') ?? '';
  const method = (sent?.method ?? button?.attribute('formmethod') ?? attribute('method'))?.toUpperCase();
  const enctype =
    (sent ? (button?.attribute('hx-encoding') ?? attribute('hx-encoding')) : undefined) ??
    (button?.attribute('formenctype') ?? attribute('enctype'))?.toLowerCase();
  return {
    written,
    // An empty address is that of the page, not that of its base.
    action: isOther(sent) ? undefined : written === '' ? resolve(pageUrl, pageUrl) : resolve(written, base),
    method: method === 'POST' || method === 'DIALOG' ? method : 'GET',
    enctype: enctypes.find((each) => each === enctype) ?? 'application/x-www-form-urlencoded',
  };
}

type HtmxRequest = { address: string; method: (typeof htmxMethods)[number] };

const htmxMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const isOther = (sent: HtmxRequest | undefined): boolean => sent !== undefined && !/^(?:get|post)$/.test(sent.method);

function sentByHtmx(attribute: HtmlForm['attribute']): HtmxRequest | undefined {
  for (const method of htmxMethods) {
    const address = attribute(`hx-${method}`) ?? attribute(`data-hx-${method}`);
    if (address !== undefined) return { address, method };
  }
  return undefined;
}

/** What a form sends when nobody has touched it. Source: HTML Standard §4.10.22.4, constructing the entry list. */
const entriesOf = ({ controls }: HtmlForm, button?: FormControl): FormEntry[] =>
  controls.flatMap((control) =>
    control === button
      ? entriesOfButton(control)
      : control.sent.map((value) => ({ name: control.name, value, type: control.type })),
  );

/** A picture sends where it was pressed, with or without a name. */
export function entriesOfButton({ type, name, value }: FormControl): FormEntry[] {
  if (type !== 'image') return name === '' ? [] : [{ name, value, type: 'submit' }];
  const prefix = name === '' ? '' : `${name}.`;
  return ['x', 'y'].map((axis) => ({ name: `${prefix}${axis}`, value: '1', type: 'submit' }));
}

/**
 * The forms of a page with what they send, once for each target that their buttons say: the first button with that target
 * is pressed. Those that send nothing over http are left out.
 * @throws ProbeError `too_large` when the page is too much to be read to its end
 */
export const sentForms = (html: string, pageUrl: string): SentForm[] =>
  readForms(wholeTree(html), pageUrl).forms.flatMap((form) => {
    const buttons = form.controls.filter(({ isSubmit, isDisabled }) => isSubmit && !isDisabled);
    const known = new Set<string>();
    return [...buttons, ...(buttons.length === 0 ? [undefined] : [])].flatMap((button): SentForm[] => {
      const { action, method, enctype } = targetOf(form, button);
      const key = `${method} ${action}`;
      if (action === undefined || method === 'DIALOG' || known.has(key)) return [];
      known.add(key);
      return [{ action, method, enctype, entries: entriesOf(form, button) }];
    });
  });

/** Values of a field in the forms that go to a path with query. @throws ProbeError `too_large` */
export const fieldValues = (html: string, pageUrl: string, target: string, name: string): string[] =>
  sentForms(html, pageUrl)
    .filter(({ action }) => pathOf(action) === target)
    .flatMap(({ entries }) => entries.filter((entry) => entry.name === name).map(({ value }) => value));

/** Path and query of a form's action, as a subject names them. */
export function pathOf(action: string): string {
  const { pathname, search } = new URL(action);
  return pathname + search;
}
