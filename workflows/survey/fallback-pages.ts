/**
 * Whether an address lies in a folder below that of another: what answers there with the same page answers so
 * everywhere, and the page leads where it led from the first.
 */
export function isBelow(url: string, other: string): boolean {
  const [folder, above] = [new URL('.', url), new URL('.', other)];
  return (
    folder.origin === above.origin && folder.pathname !== above.pathname && folder.pathname.startsWith(above.pathname)
  );
}

/** A form that goes to its own address, whatever that is: programs of their own may be behind pages that look alike. */
export const sendsToItself = /<form\b(?![^>]{0,500}\saction\s*=\s*["']?[^"'\s>#])/i;
