import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DocumentFault } from '../../../kit/documents/draft.ts';
import { readDocument } from '../../../kit/documents/read-document.ts';

const test = suite('descriptions of SOAP services');

const isFault = (error: unknown) => error instanceof DocumentFault;
const soap11 = 'http://schemas.xmlsoap.org/wsdl/soap/';
const soap12 = 'http://schemas.xmlsoap.org/wsdl/soap12/';

const schemaOf = (
  form: string,
) => `<types><s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:mill" ${form}>
  <s:element name="FindGrain"><s:complexType><s:sequence>
    <s:element name="text" type="s:string"/><s:element name="most" type="s:int" minOccurs="0"/>
    <s:element name="where" type="t:Place"/><s:element ref="t:Since"/></s:sequence></s:complexType></s:element>
  <s:element name="Since" type="s:date"/>
  <s:complexType name="Place"><s:complexContent><s:extension base="t:Land"><s:sequence>
    <s:element name="town" type="t:Town"/><s:element name="inner" type="t:Place"/></s:sequence></s:extension></s:complexContent></s:complexType>
  <s:complexType name="Land"><s:all><s:element name="code" type="s:string"/></s:all></s:complexType>
  <s:simpleType name="Town"><s:restriction base="s:string"><s:enumeration value="Ulm &amp; Au"/><s:enumeration value="x"/></s:restriction></s:simpleType>
</s:schema></types>`;

const service = ({ soap = soap11, style = 'document', form = 'elementFormDefault="qualified"', more = '' } = {}) =>
  `<?xml version="1.0"?><!-- mill --><definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:b="${soap}" xmlns:t="urn:mill" xmlns:x="http://www.w3.org/2001/XMLSchema">
  ${schemaOf(form)}
  <message name="ask">${style === 'rpc' ? '<part name="text" type="x:string"/><part name="most" type="x:int"/>' : '<part name="p" element="t:FindGrain"/>'}</message>
  <portType name="P"><operation name="FindGrain"><input message="t:ask"/></operation></portType>
  <binding name="B" type="t:P"><b:binding style="${style}"/><operation name="FindGrain"><b:operation soapAction="urn:mill/find"/><input><b:body use="literal" namespace="urn:calls"/></input></operation></binding>
  <service name="S"><port name="one" binding="t:B"><b:address location="http://mill.example/soap?x=1"/></port>${more}</service></definitions>`;

const only = (text: string) => {
  const { format, requests } = readDocument(text);
  assert.is(format, 'wsdl');
  const [request] = requests;
  if (!request || requests.length > 1) throw new Error(`${requests.length} requests`);
  return request;
};

test('have an envelope with samples for each operation', () => {
  const { method, urls, contentType, title, body } = only(service());
  assert.equal(
    [method, urls, contentType, title],
    ['POST', ['http://mill.example/soap'], 'text/xml; charset=utf-8', 'FindGrain'],
  );
  assert.match(
    body,
    /^<e:Envelope xmlns:e="http:\/\/schemas\.xmlsoap\.org\/soap\/envelope\/"><e:Body><FindGrain xmlns="urn:mill">/,
  );
  assert.match(body, /<text xmlns="urn:mill">test<\/text><most xmlns="urn:mill">1<\/most>/);
  assert.match(body, /<code xmlns="urn:mill">test<\/code><town xmlns="urn:mill">Ulm &amp; Au<\/town>/);
  assert.match(body, /<Since xmlns="urn:mill">2026-01-31<\/Since>/);
});

test('say with SOAP 1.2 in the type what is asked for, and which elements have a namespace', () => {
  const { contentType, body } = only(service({ soap: soap12, form: '' }));
  assert.is(contentType, 'application/soap+xml; charset=utf-8; action="urn:mill/find"');
  assert.match(body, /"http:\/\/www\.w3\.org\/2003\/05\/soap-envelope"/);
  assert.match(body, /<FindGrain xmlns="urn:mill"><text xmlns="">test</);
});

test('of procedures have their parameters without a schema', () => {
  const { body } = only(service({ style: 'rpc' }));
  assert.match(
    body,
    /<m:FindGrain xmlns:m="urn:calls"><text xmlns="">test<\/text><most xmlns="">1<\/most><\/m:FindGrain>/,
  );
});

test('are read once for each operation of an address, and not at all without a usable address', () => {
  const again = '<port name="two" binding="t:B"><b:address location="http://mill.example/soap"/></port>';
  only(service({ more: again }));
  assert.throws(() => readDocument(service().replace('http://mill.example/soap?x=1', 'jms:queue')), isFault);
});

test('that are none are refused in words', () => {
  for (const text of [
    service().replace('</definitions>', ''),
    service().replace('<types>', '<q:types>'),
    service().replace('<types>', `<!DOCTYPE a [<!ENTITY e "x">]><types>`),
    service().replace('<types>', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}<types>`),
  ])
    assert.throws(() => readDocument(text), isFault);
});

test.run();
