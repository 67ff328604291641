/** Addresses that a style sheet takes something from. Source: CSS Values and Units §4.5, CSS Cascading §6. */
export function addressesInCss(css: string): string[] {
  const urls = [...css.matchAll(/url\(\s*(?:"([^"\n]{1,2048})"|'([^'\n]{1,2048})'|([^\s"'()]{1,2048}))\s*\)/gi)];
  const imports = [...css.matchAll(/@import\s+(?:"([^"\n]{1,2048})"|'([^'\n]{1,2048})')/gi)];
  const sets = [...css.matchAll(/image-set\(([^;{}]{1,4096})\)/gi)].flatMap(([, list = '']) => [
    ...list.matchAll(/(?<!type\(|url\()(?:"([^"\n]{1,2048})"|'([^'\n]{1,2048})')/gi),
  ]);
  return [...urls, ...imports, ...sets]
    .map(([, one, other, bare]) => one ?? other ?? bare ?? '')
    .filter((url) => url !== '' && !/^data:|^#/i.test(url));
}
