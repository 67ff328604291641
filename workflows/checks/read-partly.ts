import type { CheckContext } from './contract.ts';

/** The same context, which tells of each page that its browser could read in part only. */
export function tellingPartly(context: CheckContext): CheckContext {
  const { browser, leave } = context;
  const told = new Set<string>();
  return {
    ...context,
    browser: {
      ...browser,
      async visit(visit) {
        const seen = await browser.visit(visit);
        const page = seen.finalUrl.replace(/[?#].*$/s, '');
        if (seen.unread.parts > 0 && !told.has(page)) {
          told.add(page);
          const text = `${page} was read in part in the browser: it says, shows or keeps more than one visit takes`;
          leave({ code: 'page_cut', count: 1, text });
        }
        return seen;
      },
    },
  };
}
