import { claim } from '../../../model/experiment.ts';
import { defineCheck, notApplicable } from '../../contract.ts';
import { fewPlaces, headerPlace, htmlPages, valuesOf } from '../../pages/html-pages.ts';
import { headerExperiment } from '../header-experiment.ts';

/** The second is the name that the header had before; Chromium took it until 2021. */
const headers = ['permissions-policy', 'feature-policy'];

/** Pages do not say which powerful features of browsers they use. Source: Permissions Policy, W3C. */
export const permissionsPolicyMissing = defineCheck({
  id: 'headers.permissions-policy-missing',
  title: 'Missing Permissions-Policy',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    const pages = htmlPages(context.surface).filter(({ url }) => url.startsWith('https:'));
    if (pages.length === 0)
      return notApplicable('No page is shown over HTTPS; elsewhere browsers do not offer these features.');
    const without = pages.filter((page) => headers.every((header) => valuesOf(page, header).length === 0));
    return fewPlaces(
      context,
      without.map(({ url }) => headerPlace(url, 'Permissions-Policy')),
    );
  },

  confirm: ({ http }, { location }) =>
    headerExperiment(http, location.url, 'The page does not limit which features it uses.', () =>
      headers.map((header) => claim(`header:${header}`, 'absent')),
    ),

  explain: {
    description:
      'Pages come without a Permissions-Policy. It defines which features (camera, microphone, position, payment and others) the pages and what they embed may use at all.',
    impact:
      "Nothing by itself: browsers ask the visitor, and give most features to the site's own pages only. When script is injected or a library turns hostile, it may ask in the name of the site, whom the visitor trusts.",
    sends: 'Requests up to three of the seen HTTPS pages again.',
    proves:
      'The page has neither Permissions-Policy nor Feature-Policy; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Switch off what the site does not use, for instance `Permissions-Policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()`. nginx: `add_header Permissions-Policy "camera=(), microphone=(), geolocation=()" always;`. Apache: `Header always set Permissions-Policy "camera=(), microphone=(), geolocation=()"`. Rails: `config.permissions_policy`. Allow a feature to the site itself with `geolocation=(self)`.',
    references: [
      'Permissions Policy: https://www.w3.org/TR/permissions-policy/',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Permissions-Policy',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});
