/** How the agent uses a control. */
export type PageInput = {
  /** Fills in what is empty. */
  fillIn(field: HTMLInputElement | HTMLTextAreaElement): void;
  /** Sends an event as a visitor's hand would. */
  send(element: HTMLElement, type: string): void;
};

/** Runs in the page, so it uses nothing but what it is given. @param maxOptions choices of a list that are made */
export function makeInput({ maxOptions }: { maxOptions: number }): PageInput {
  const samples: Record<string, string> = {
    email: 'audit@example.com',
    number: '1',
    range: '1',
    url: 'https://example.com/',
    tel: '5550100',
    date: '2026-01-31',
    'datetime-local': '2026-01-31T12:00',
    month: '2026-01',
    week: '2026-W05',
    time: '12:00',
    color: '#336699',
    password: 'Audit-pass-1',
  };
  const maxText = 20_000;
  /** A word that look-ups take, too: many wait for two or three letters. */
  const textFor = ({ minLength, maxLength, inputMode }: HTMLInputElement | HTMLTextAreaElement): string => {
    if (/^(?:numeric|decimal)$/.test(inputMode)) return '1'.padEnd(Math.min(minLength, 20), '1');
    const word = 'test'.padEnd(Math.min(minLength, 100), 't');
    return maxLength > 0 ? word.slice(0, maxLength) : word;
  };
  /** A file of a kind that is taken. @param accept kinds as a field names them, "" for any */
  const fileFor = (accept: string, text = 'a'): DataTransfer => {
    const isImage = /image|\.(?:png|jpe?g|gif)/i.test(accept);
    const [, ending = 'txt'] = /\.(\w{1,8})/.exec(accept) ?? [];
    const transfer = new DataTransfer();
    transfer.items.add(
      isImage
        ? new File(['a'], 'test.png', { type: 'image/png' })
        : new File([text], `test.${ending}`, { type: 'text/plain' }),
    );
    return transfer;
  };
  /** What the page itself has written into a field for a text beside the file: script may put the file's content there. */
  const textBeside = ({ form }: HTMLInputElement): string | undefined => {
    const fields = [...(form ?? document).querySelectorAll('textarea')];
    return fields.find(({ defaultValue }) => defaultValue.trim() !== '')?.defaultValue.slice(0, maxText);
  };
  const choose = (field: HTMLInputElement) => {
    if ((field.files?.length ?? 0) > 0) return;
    field.files = fileFor(field.accept, textBeside(field)).files;
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const fillIn = (field: HTMLInputElement | HTMLTextAreaElement) => {
    if (field.disabled || field.readOnly) return;
    if (field.type === 'checkbox' || field.type === 'radio') {
      if (field instanceof HTMLInputElement && field.required && !field.checked) field.click();
      return;
    }
    if (field.type === 'file') return choose(field as HTMLInputElement);
    if (/^(?:hidden|submit|button|image|reset)$/.test(field.type) || field.value !== '') return;
    // Frameworks watch the setter of the element that they made, not that of its kind.
    const owner = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(field, samples[field.type] ?? textFor(field));
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const key = (element: HTMLElement, type: string, name: string) => {
    // Older scripts read the number of the key.
    const number = name === 'Enter' ? 13 : name.toUpperCase().charCodeAt(0);
    const init = { key: name, code: name === 'Enter' ? name : 'KeyA', keyCode: number, which: number };
    element.dispatchEvent(new KeyboardEvent(type, { ...init, bubbles: true, cancelable: true }));
  };
  const isMoved = /^(?:range|number|date|datetime-local|month|week|time)$/;
  /** A slider or a date that has a value is moved. */
  const move = (field: HTMLInputElement) => {
    const from = field.value;
    field.stepUp();
    if (field.value === from) field.stepDown();
  };
  const isBox = ({ type }: HTMLInputElement) => type === 'checkbox' || type === 'radio';
  const send = (element: HTMLElement, type: string) => {
    try {
      if (element instanceof HTMLInputElement && isMoved.test(element.type) && /^(?:change|input)$/.test(type))
        move(element);
      if (element instanceof HTMLSelectElement && type === 'change') {
        for (const option of [...element.options].slice(0, maxOptions)) {
          element.value = option.value;
          for (const each of ['input', 'change']) element.dispatchEvent(new Event(each, { bubbles: true }));
        }
      } else if (element instanceof HTMLInputElement && isBox(element) && /^(?:change|input)$/.test(type)) {
        element.click();
        // One that has to be ticked keeps a form from being sent.
        if (element.required && !element.checked) element.click();
      } else if (type === 'click') {
        for (const each of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
          element.dispatchEvent(new MouseEvent(each, { bubbles: true, cancelable: true, view: window }));
        if (typeof element.click === 'function') element.click();
        else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
      } else if (/^(?:mouse|pointer)enter$/.test(type)) {
        // React derives that a pointer has come in from an event that bubbles.
        for (const each of [type.replace('enter', 'over'), type])
          element.dispatchEvent(new MouseEvent(each, { bubbles: each !== type, cancelable: true, view: window }));
      } else if (/^key/.test(type)) {
        if (type !== 'keydown') key(element, type, 'a');
        key(element, type, 'Enter');
      } else if (type === 'submit' && element instanceof HTMLFormElement) element.requestSubmit();
      else if (type === 'drop' || type === 'dragover')
        element.dispatchEvent(new DragEvent(type, { dataTransfer: fileFor(''), bubbles: true, cancelable: true }));
      else if (type === 'paste') {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'test');
        element.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
      } else if (type === 'contextmenu')
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window, button: 2 }));
      else if (/^(?:mouse|pointer|dblclick)/.test(type))
        element.dispatchEvent(
          new MouseEvent(type, { bubbles: !/enter|leave/.test(type), cancelable: true, view: window }),
        );
      else if (/^(?:blur|focusout)$/.test(type))
        // The one does not bubble, so that frameworks listen for the other. Source: UI Events §3.3.
        for (const each of ['blur', 'focusout'])
          element.dispatchEvent(new FocusEvent(each, { bubbles: each === 'focusout' }));
      else if (/^focus/.test(type)) element.focus();
      else element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    } catch {
      // A control whose own handler fails is left.
    }
  };
  return { fillIn, send };
}
