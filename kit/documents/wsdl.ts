import { type Draft, isWeb, literalUrl, xmlBody } from './draft.ts';
import { createSampler, escaped, type SchemaPart, type SchemaParts } from './xml-samples.ts';
import { childrenOf, elementsBelow, readXmlTree, referenceOf, type XmlElement } from './xml-tree.ts';

const wsdl = 'http://schemas.xmlsoap.org/wsdl/';
const schema = 'http://www.w3.org/2001/XMLSchema';

/** Versions of SOAP by the namespace of their bindings. Sources: WSDL 1.1 §3, WSDL 1.1 Binding Extension for SOAP 1.2. */
const versions: Record<string, { envelope: string; contentType: (action: string) => string }> = {
  'http://schemas.xmlsoap.org/wsdl/soap12/': {
    envelope: 'http://www.w3.org/2003/05/soap-envelope',
    contentType: (action) => `application/soap+xml; charset=utf-8${action === '' ? '' : `; action="${action}"`}`,
  },
  'http://schemas.xmlsoap.org/wsdl/soap/': {
    envelope: 'http://schemas.xmlsoap.org/soap/envelope/',
    contentType: () => 'text/xml; charset=utf-8',
  },
};

/** Begins as a description of services does; elements before it are none. */
export const isWsdl = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?[^>]{0,200}>\s*|<!--(?:(?!-->)[\s\S]){0,5000}-->\s*)*<(?:[\w.-]{1,50}:)?definitions[\s>]/.test(
    text.slice(0, 20_000),
  ) && text.includes(wsdl);

/**
 * Operations of a SOAP service, each as a POST of an envelope with samples. One that two versions of SOAP offer is read of 1.2, which
 * needs no header of its own. Source: WSDL 1.1. Schemas elsewhere are not read.
 * @throws DocumentFault
 */
export function* readWsdl(text: string): Generator<Draft> {
  const all = [...elementsBelow(readXmlTree(text))];
  const named = (name: string) =>
    new Map(
      all.flatMap((each) =>
        each.name === name && each.namespace === wsdl ? [[each.attributes.get('name') ?? '', each]] : [],
      ),
    );
  const [messages, portTypes, bindings] = [named('message'), named('portType'), named('binding')];
  const parts = partsOf(all);
  const known = new Set<string>();
  const ports = all.filter(({ name, namespace }) => name === 'port' && namespace === wsdl);
  for (const [soap, version] of Object.entries(versions))
    for (const port of ports) {
      const address = port.children.find(({ name, namespace }) => name === 'address' && namespace === soap);
      const url = URL.parse(address?.attributes.get('location') ?? '');
      const binding = bindings.get(referenceOf(port, 'binding'));
      const portType = binding && portTypes.get(referenceOf(binding, 'type'));
      if (!isWeb(url) || !binding || !portType) continue;
      const style = soapPart(binding, 'binding', soap)?.attributes.get('style');
      const inputs = new Map(
        childrenOf(portType, 'operation').map((each) => [each.attributes.get('name') ?? '', each]),
      );
      for (const operation of childrenOf(binding, 'operation')) {
        const title = operation.attributes.get('name') ?? '';
        const place = `${literalUrl(url)} ${title}`;
        const [input] = childrenOf(inputs.get(title) ?? operation, 'input');
        const message = input && messages.get(referenceOf(input, 'message'));
        if (known.has(place) || !message) continue;
        known.add(place);
        const how = soapPart(operation, 'operation', soap);
        const isRpc = (how?.attributes.get('style') ?? style) === 'rpc';
        const [bound] = childrenOf(operation, 'input');
        const namespace = (bound && soapPart(bound, 'body', soap)?.attributes.get('namespace')) ?? '';
        const content = isRpc ? procedure(title, namespace, message, parts) : documents(message, parts);
        const action = (how?.attributes.get('soapAction') ?? '').replace(/["\s\\]/g, '').slice(0, 500);
        const body = `<e:Envelope xmlns:e="${version.envelope}"><e:Body>${content}</e:Body></e:Envelope>`;
        yield {
          ...{ method: 'POST', urls: [literalUrl(url)], parameters: [], title },
          contentType: version.contentType(action),
          body: xmlBody(body),
        };
      }
    }
}

const soapPart = ({ children }: XmlElement, part: string, soap: string): XmlElement | undefined =>
  children.find(({ name, namespace }) => name === part && namespace === soap);

/** Elements of the schema, one for each part of the message. */
const documents = (message: XmlElement, parts: SchemaParts): string => {
  const { global } = createSampler(parts);
  return childrenOf(message, 'part')
    .map((part) => global(referenceOf(part, 'element')) ?? '')
    .join('');
};

/** An element that is called as the operation, with one for each part of the message. Source: SOAP 1.1 §7.1. */
const procedure = (title: string, namespace: string, message: XmlElement, parts: SchemaParts): string => {
  if (!/^[A-Za-z_][\w.-]{0,200}$/.test(title)) return '';
  const { global, part } = createSampler(parts);
  const given = childrenOf(message, 'part').map((each) => {
    const element = referenceOf(each, 'element');
    return (
      (element === '' ? part(each.attributes.get('name') ?? '', each.attributes.get('type') ?? '') : global(element)) ??
      ''
    );
  });
  if (namespace === '') return `<${title}>${given.join('')}</${title}>`;
  return `<m:${title} xmlns:m="${escaped(namespace)}">${given.join('')}</m:${title}>`;
};

/** Declarations that schemas have at their top. */
function partsOf(all: readonly XmlElement[]): SchemaParts {
  const [elements, types] = [new Map<string, SchemaPart>(), new Map<string, SchemaPart>()];
  for (const { name, namespace: own, attributes, children } of all) {
    if (name !== 'schema' || own !== schema) continue;
    const namespace = attributes.get('targetNamespace') ?? '';
    const isQualified = attributes.get('elementFormDefault') === 'qualified';
    for (const part of children) {
      const list = part.name === 'element' ? elements : types;
      const key = part.attributes.get('name') ?? '';
      if (key !== '' && !list.has(key)) list.set(key, { part, namespace, isQualified });
    }
  }
  return { elements, types };
}
