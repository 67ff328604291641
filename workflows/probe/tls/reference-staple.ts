import 'reflect-metadata';
import { createHash, sign } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertID,
  CertStatus,
  id_pkix_ocsp_basic,
  KeyHash,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { X509Certificate } from '@peculiar/x509';

const sha1 = '1.3.14.3.2.26';
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const dayMs = 86_400_000;

/** A response of OCSP by which a certificate is good for a day, signed by its issuer, whose key is of the kind "ec". Source: RFC 6960 §4.2. */
export function goodStaple(leafPem: string, issuer: { key: string; cert: string }): Buffer {
  const above = new X509Certificate(issuer.cert);
  const { subjectPublicKey } = AsnConvert.parse(above.publicKey.rawData, SubjectPublicKeyInfo);
  const keyHash = digest(subjectPublicKey);
  const certID = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1, parameters: null }),
    issuerNameHash: new OctetString(digest(above.subjectName.toArrayBuffer())),
    issuerKeyHash: new OctetString(keyHash),
    serialNumber: Uint8Array.from(Buffer.from(new X509Certificate(leafPem).serialNumber, 'hex')).buffer,
  });
  const now = Date.now();
  const single = new SingleResponse({
    certID,
    certStatus: new CertStatus({ good: null }),
    thisUpdate: new Date(now - dayMs),
    nextUpdate: new Date(now + dayMs),
  });
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byKey: new KeyHash(keyHash) }),
    producedAt: new Date(now),
    responses: [single],
  });
  const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsResponseData)), issuer.key);
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: Uint8Array.from(signed).buffer,
  });
  const response = new OCSPResponse({
    responseStatus: OCSPResponseStatus.successful,
    responseBytes: new ResponseBytes({
      responseType: id_pkix_ocsp_basic,
      response: new OctetString(AsnConvert.serialize(basic)),
    }),
  });
  return Buffer.from(AsnConvert.serialize(response));
}

const digest = (data: ArrayBuffer): ArrayBuffer =>
  Uint8Array.from(createHash('sha1').update(new Uint8Array(data)).digest()).buffer;
