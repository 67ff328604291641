import type { BrowserAction } from '../../model/experiment.ts';
import { type OpenedInput, pairsOf } from '../inputs/input-request.ts';
import { encodeTemplate, inputUrl } from '../inputs/input-url.ts';

/**
 * How a browser comes to send an input's value: by following a link, or, for a field of a form, by opening a page of somebody else's
 * that posts the form by itself.
 */
export function browserAction(input: OpenedInput, value: string): BrowserAction {
  if (input.in !== 'body') return { url: inputUrl(input, encodeTemplate(value)) };
  // Over HTTP where the form is, since browsers ask before they send one from HTTPS to HTTP.
  return { url: `${new URL(input.url).protocol}//‹nonce8›.invalid/`, page: postingPage(input, value) };
}

/** Values stand in text areas, which keep line breaks. */
function postingPage(input: OpenedInput, value: string): string {
  const fields = pairsOf(input, value).map(
    (pair) => `<textarea name="${escaped(pair.name)}">\n${escaped(pair.value)}</textarea>`,
  );
  const enctype = input.contentType?.startsWith('multipart/') ? ' enctype="multipart/form-data"' : '';
  // A button of the form may have the name of the method.
  return `<!doctype html>
<title>A page of another site</title>
<form method="post" action="${escaped(input.url)}"${enctype}>${fields.join('')}</form>
<script>HTMLFormElement.prototype.submit.call(document.forms[0])</script>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
