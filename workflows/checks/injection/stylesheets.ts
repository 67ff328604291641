import type { InputSurface } from '../../model/surface.ts';
import type { Computed } from './computed-result.ts';

/** What a stylesheet of ours shows, what it takes, and the same with the cause taken away. */
export type StylesheetTry = Computed & { broken: string; shows: 'computed' | 'called' | 'read' };

const transform = 'http://www.w3.org/1999/XSL/Transform';

/** @param names more namespaces of the stylesheet */
const sheet = (select: string, { version = '1.0', names = '', namespace = transform } = {}): string =>
  `<xsl:stylesheet version="${version}" xmlns:xsl="${namespace}"${names}><xsl:template match="/"><p>` +
  `<xsl:value-of select="${select}"/></p></xsl:template></xsl:stylesheet>`;

const [before, after] = ['‹nonce›', '‹nonce2›'];
const between = (expression: string): string => `concat('${before}',${expression},'${after}')`;
const product = `${before}‹product:int:int2›${after}`;

/** The product is calculated; with another namespace the same document is data. Source: XSLT 1.0 §2.1. */
export const computing: StylesheetTry = {
  shows: 'computed',
  value: sheet(between('‹int› * ‹int2›')),
  broken: sheet(between('‹int› * ‹int2›'), { namespace: `${transform}s` }),
  result: product,
};

/** A function of the language behind the processor, which multiplies or repeats; and a name that no language has. */
const calling = (names: string, call: string, missing: string, result: string): StylesheetTry => ({
  shows: 'called',
  value: sheet(between(call), { names }),
  broken: sheet(between(missing), { names }),
  result,
});
const php = ' xmlns:f="http://php.net/xsl"';
const java = ' xmlns:j="http://xml.apache.org/xalan/java"';

/** A document of the system whose root has a name of its own; and a file of that name that nobody has. */
const reading = (path: string, root: string): StylesheetTry => {
  const select = (file: string) => `concat('${before}-',name(document('file://${file}')/*),'-${after}')`;
  return {
    shows: 'read',
    value: sheet(select(path)),
    broken: sheet(select(`${path}.‹nonce3›`)),
    result: `${before}-${root}-${after}`,
  };
};

/** The gravest first. Those that only look read what ordinary systems have; a processor refuses what it does not know. */
export const stronger: readonly StylesheetTry[] = [
  calling(
    php,
    `f:functionString('str_repeat','‹nonce3›',2)`,
    `f:functionString('‹nonce4›','‹nonce3›',2)`,
    '‹nonce3›‹nonce3›',
  ),
  calling(java, 'j:java.lang.Math.multiplyExact(‹int›,‹int2›)', 'j:java.lang.Math.‹nonce4›(‹int›,‹int2›)', product),
  reading('/etc/fonts/fonts.conf', 'fontconfig'),
  reading('/usr/share/mime/packages/freedesktop.org.xml', 'mime-info'),
  reading('/etc/xml/catalog', 'catalog'),
];

const sheetNames = /xslt?|style.?sheet|transform|layout|template/i;

/** By its name, or because the site itself puts a stylesheet there. */
export const takesStylesheet = ({ parameter, sample, in: place }: InputSurface): boolean =>
  sample.includes(transform) || (place !== 'path' && sheetNames.test(parameter));

/** A stylesheet needs a document to work on: another field that is called so gets one where it has none. */
export function withDocument<T extends InputSurface>(input: T): T {
  const others = input.others.map((other) =>
    /xml|doc/i.test(other.name) && !other.value.trimStart().startsWith('<') ? { ...other, value: '<r>1</r>' } : other,
  );
  return { ...input, others };
}
