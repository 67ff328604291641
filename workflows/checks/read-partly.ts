import type { CheckContext } from './contract.ts';

/** The same context, which reports each page that its browser could read in part only. */
export function reportingPartialReads(context: CheckContext): CheckContext {
  const { browser, leave } = context;
  const reported = new Set<string>();
  return {
    ...context,
    browser: {
      ...browser,
      async visit(visit) {
        const seen = await browser.visit(visit);
        // The address of a page of the audit's own is nobody's.
        const page =
          visit.page === undefined ? seen.finalUrl.replace(/[?#].*$/s, '') : 'a page that another site opens';
        if (seen.unread.parts > 0 && !reported.has(page)) {
          reported.add(page);
          const { why } = seen.unread;
          const text =
            why === undefined
              ? `${page} was read in part in the browser: it says, shows or keeps more than one visit takes`
              : `${page} could not be read in the browser: ${why}`;
          leave({ code: 'page_cut', count: 1, text });
        }
        return seen;
      },
    },
  };
}
