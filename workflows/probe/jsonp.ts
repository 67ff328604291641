const call = /^\s*(?:\/\*\*\/\s*)?(?:typeof\s+[\w$.]{1,80}\s*={2,3}\s*['"]function['"]\s*&&\s*)?([\w$.]{1,80})\s*\(/;

/** JSON that is given to a function ("show({…})"), and the name of that; undefined for other texts. Source: JSONP. */
export function calledWith(text: string): { name: string; json: string } | undefined {
  const [whole, name] = call.exec(text.slice(0, 400)) ?? [];
  const end = text.lastIndexOf(')');
  if (whole === undefined || name === undefined || end < whole.length) return undefined;
  const json = text.slice(whole.length, end).trim();
  return /^[{[]/.test(json) ? { name, json } : undefined;
}
