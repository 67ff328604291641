import type { ElementHandle, Page } from 'playwright-core';

/** Fields that look something up, by what they are called. */
const searchWords =
  /(?:^|[^a-z])(?:q|search\w*|find\w*|query|keywords?|term|filter\w*|look-?up|such\w+|recherche\w*|buscar|busca|cerca|zoek\w*|поиск|搜索|検索)(?:$|[^a-z])/i;
const maxFields = 3;
/** Most lists have something with it. */
const word = 'a';
const actionMs = 1_500;

/**
 * Types a word into the search fields of a page, as any visitor does: what its script asks the server for is seen only then. A field
 * is left by Enter, and where that asks for nothing, by the button beside it.
 * @param count how many requests there were so far
 * @param settle waits for what the page asks for
 * @returns how many fields were left, for want of room
 */
export async function searchOnPage(page: Page, count: () => number, settle: () => Promise<void>): Promise<number> {
  const fields = await page.$$('input:not([type]), input[type=text], input[type=search]').catch(() => []);
  let [tried, left] = [0, 0];
  for (const field of fields) {
    if (!(await isSearch(field))) continue;
    if (tried === maxFields) {
      left += 1;
      continue;
    }
    tried += 1;
    const before = count();
    try {
      await field.fill(word, { timeout: actionMs });
      await field.press('Enter', { timeout: actionMs, noWaitAfter: true });
      await settle();
      if (count() === before) await (await buttonBeside(field))?.click({ timeout: actionMs, noWaitAfter: true });
      await settle();
    } catch {
      // A field that went away with its page is left.
    }
  }
  return left;
}

async function isSearch(field: ElementHandle): Promise<boolean> {
  const words = await field
    .evaluate((node) => {
      const input = node as HTMLInputElement;
      const label = input.labels?.[0]?.textContent ?? '';
      // A form of people is no search, whatever one of its fields is called.
      const fields = input.form?.querySelectorAll(
        'input[type=password], input[type=email], input[type=file], textarea',
      );
      if (fields?.length) return '';
      const isTyped = input.type === 'search' ? 'search' : '';
      return [isTyped, input.name, input.id, input.placeholder, input.ariaLabel ?? '', label].join(' | ');
    })
    .catch(() => '');
  return searchWords.test(words) && (await field.isVisible().catch(() => false));
}

/** In the same form, or within the next two elements around the field. */
async function buttonBeside(field: ElementHandle): Promise<ElementHandle | null> {
  const handle = await field.evaluateHandle((node) => {
    const input = node as HTMLInputElement;
    const places = [input.form, input.parentElement, input.parentElement?.parentElement];
    for (const place of places) {
      const button = place?.querySelector('button, input[type=submit], input[type=button]');
      if (button) return button;
    }
    return null;
  });
  return handle.asElement();
}
