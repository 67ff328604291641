import 'reflect-metadata';
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  Extension,
  X509Certificate,
} from '@peculiar/x509';
import type { Revocation } from '../../model/tls-hello.ts';

/** TLS Feature with status_request, "must staple" (RFC 7633). */
const tlsFeature = '1.3.6.1.5.5.7.1.24';
const statusRequest = Buffer.from([0x02, 0x01, 0x05]);
/** By it a client refuses the certificate without a response of OCSP. */
export const mustStaple = (): Extension =>
  new Extension(tlsFeature, false, Buffer.concat([Buffer.from([0x30, 0x03]), statusRequest]));
/** More addresses than this are not of use to anybody. */
const maxAddresses = 8;

/** Undefined when the certificate cannot be read. @param der of the leaf */
export function revocationOf(der: Buffer | undefined): Revocation | undefined {
  if (!der) return undefined;
  try {
    const certificate = new X509Certificate(new Uint8Array(der));
    const feature = certificate.getExtension(tlsFeature);
    const access = certificate.getExtension(AuthorityInfoAccessExtension);
    // Its lists are of a kind of their own.
    const points = Array.from(certificate.getExtension(CRLDistributionPointsExtension)?.distributionPoints ?? []);
    return {
      mustStaple: feature !== null && Buffer.from(feature.value).includes(statusRequest),
      ocsp: Array.from(access?.ocsp ?? [])
        .map(({ value }) => value)
        .slice(0, maxAddresses),
      crl: points
        .flatMap(({ distributionPoint }) => distributionPoint?.fullName ?? [])
        .flatMap(({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? [])
        .slice(0, maxAddresses),
    };
  } catch {
    return undefined;
  }
}
