import { ec, makeCertificate } from '../../fixtures/certificates.ts';

/** For a site at "shop.localhost". */
export const certificateForShop = () => makeCertificate({ commonName: 'shop.localhost', key: ec });
