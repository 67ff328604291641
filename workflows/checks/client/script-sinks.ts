/** What makes markup, code or an address of a text, as scripts usually name it. */
const sinks =
  /(?:[iI]nner|outer)HTML|insertAdjacentHTML|createContextualFragment|document\.write|srcdoc|\beval\b|\bFunction\b|set(?:Timeout|Interval)|\$\(|\.(?:html|append|prepend|before|after|assign|replace|open|setAttribute)\(|location(?:\.href)?\s*=|\.(?:src|href|action)\s*=|v-html|\bimport\(/;

export const hasSink = (script: string): boolean => sinks.test(script);
