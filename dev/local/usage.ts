/** A command line that cannot be followed; the message says what to do. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** An address, from that of the application on. @throws UsageError */
export const resolved = (text: string, base: URL): string => {
  const url = URL.parse(text, base);
  if (!url) throw new UsageError(`"${text}" is no URL.`);
  return url.href;
};
