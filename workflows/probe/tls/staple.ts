import 'reflect-metadata';
import { BasicOCSPResponse, OCSPResponse, OCSPResponseStatus } from '@peculiar/asn1-ocsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import type { Staple } from '../../model/tls.ts';

/**
 * What a response of OCSP says of the certificate that it came along with. Who signed it is not judged: a server has no reason to
 * forge one against itself. Source: RFC 6960 §4.2.
 * @param serialNumber of the certificate, hexadecimal
 */
export function readStaple(der: Buffer, serialNumber: string, now = new Date()): Staple {
  try {
    const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse);
    if (responseStatus !== OCSPResponseStatus.successful || !responseBytes) return 'refused';
    const { tbsResponseData } = AsnConvert.parse(responseBytes.response.buffer, BasicOCSPResponse);
    const about = tbsResponseData.responses.find(
      ({ certID }) => bare(Buffer.from(certID.serialNumber).toString('hex')) === bare(serialNumber),
    );
    if (!about) return 'foreign';
    if (about.certStatus.revoked) return 'revoked';
    if (about.nextUpdate && about.nextUpdate < now) return 'over';
    return 'unknown' in about.certStatus ? 'unknown' : 'good';
  } catch {
    return 'unreadable';
  }
}

const bare = (hex: string): string => hex.toLowerCase().replace(/^0+/, '');
