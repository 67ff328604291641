import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** Whose certificates are trusted: those that browsers and this system trust, and the operator's own. */
export type Trust = {
  /** Made once, when it is first needed: it holds some hundred certificates. */
  context(): SecureContext;
};

/** @param extraCa further authorities, PEM */
export function createTrust(extraCa?: string): Trust {
  let context: SecureContext | undefined;
  return {
    context() {
      const authorities = [
        ...getCACertificates('bundled'),
        ...getCACertificates('system'),
        ...(extraCa ? [extraCa] : []),
      ];
      context ??= createSecureContext({
        ca: authorities,
        minVersion: 'TLSv1',
        ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
      });
      return context;
    },
  };
}
