/** JSON, a document of YAML, and texts of pickles and of PHP. */
const serialized = /^(?:[{[(]|---|[\w-]+:\s|!!|[Oa]:\d+:)/;
/** Protocols 2 to 5, in hexadecimal. Source: pickletools. */
const binaryPickle = /^800[2-5]/;
/** An object of Java, whose stream begins with a magic number and version 5. Source: Java Object Serialization Specification §6.4.2. */
const javaStream = /^aced0005/;
/** An empty list of a pickle has seven signs and one that fills up. */
const base64 = /^(?=.{8})[\w+/-]+={0,2}$/;

/** How a value is written that an object may be made of. */
export function serializedForm(sample: string): 'plain' | 'base64' | undefined {
  const text = sample.trim();
  if (serialized.test(text)) return 'plain';
  if (!base64.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64');
  return serialized.test(decoded.toString('latin1')) ||
    binaryPickle.test(decoded.toString('hex')) ||
    javaStream.test(decoded.toString('hex'))
    ? 'base64'
    : undefined;
}

export const isOfJava = (sample: string): boolean => javaStream.test(Buffer.from(sample, 'base64').toString('hex'));
