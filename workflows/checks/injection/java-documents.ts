import type { Delaying } from './delays.ts';
import type { SerializedCall } from './serialized-call.ts';

/** A document that says itself that it is read by XMLDecoder, whose elements call methods. Source: java.beans.XMLDecoder. */
export const isJavaDocument = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<java\b[^>]{0,200}\bclass="java\.beans\.XMLDecoder"/.test(text);

const where = 'XML of Java (XMLDecoder)';

const calling = (name: string, method: string, values: readonly string[]): string =>
  `<java version="1.8" class="java.beans.XMLDecoder"><object class="java.lang.${name}" method="${method}">${values.join('')}</object></java>`;

const multiplied = (method: string): string => calling('Math', method, ['<int>‹int›</int>', '<int>‹int2›</int>']);
const waiting = (seconds: string, method: string): string => calling('Thread', method, [`<long>${seconds}000</long>`]);

/** Documents of which a method multiplies, or waits. */
export const javaDocuments: { calls: readonly SerializedCall[]; delays: readonly Delaying[] } = {
  calls: [
    {
      ...{ where, result: '‹product:int:int2›' },
      value: multiplied('multiplyExact'),
      broken: multiplied('multiplyExacq'),
    },
  ],
  delays: [{ where, value: (seconds) => waiting(seconds, 'sleep'), broken: (seconds) => waiting(seconds, 'sleeq') }],
};
