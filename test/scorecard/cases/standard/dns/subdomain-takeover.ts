import type { Zone } from '../../../../fixtures/name-server.ts';
import { type Handler, html } from '../../../../fixtures/site.ts';
import { soaOf } from '../../../../fixtures/soa.ts';
import type { ScoreCase } from '../../../case.ts';
import { startNamed } from '../../../sites/names.ts';

const alias = (host: string, target: string): Zone => ({
  [`${host} CNAME`]: [target],
  [`${host} A`]: [{ alias: target }],
  [`${target} A`]: ['127.0.0.1'],
});

/** A service that serves the sites of its customers, and one page where there is none. */
const service =
  (customers: Record<string, string>, nobody: string): Handler =>
  ({ headers, path }) => {
    const page = customers[(headers.host ?? '').replace(/:\d+$/, '')];
    if (page === undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: nobody };
    return path === '/' ? html(page) : undefined;
  };

const github = "<!DOCTYPE html><h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong></p>";
const bucket = '<html><head><title>404 Not Found</title></head><ul><li>Code: NoSuchBucket</li></ul></html>';

export const cases: ScoreCase[] = [
  {
    name: 'documentation at GitHub Pages whose repository was deleted',
    start: (variant) => {
      const host = 'docs.larkspur-tools.com';
      const customers = variant === 'patched' ? { [host]: '<h1>Manual</h1>' } : {};
      return startNamed({ host, zone: alias(host, 'larkspur.github.io'), handler: service(customers, github) });
    },
  },
  {
    name: 'campaign site in a bucket that was removed, and below a wildcard',
    start: (variant) => {
      const host = 'summer.northmill-coffee.de';
      const target = `${host}.s3-website.eu-central-1.amazonaws.com`;
      const zone = { ...alias(host, target), '*.northmill-coffee.de CNAME': [target] };
      const customers = variant === 'patched' ? { [host]: '<h1>Summer</h1>' } : {};
      return startNamed({ host, zone, handler: service(customers, bucket) });
    },
  },
  {
    name: 'handbook at GitHub Pages that was deleted, and whose owner verified the domain afterwards',
    start: (variant) => {
      const host = 'handbook.slatebrook-labs.com';
      const token = '_github-pages-challenge-slatebrook.slatebrook-labs.com TXT';
      const zone = {
        ...alias(host, 'slatebrook.github.io'),
        [token]: [[variant === 'patched' ? 'a1b2c3d4e5f60718293a4b5c6d7e8f' : 'v=spf1 -all']],
      };
      return startNamed({ host, zone, handler: service({}, github) });
    },
  },
  {
    name: 'link to a name at Azure that was released',
    start: (variant) => {
      const zone: Zone = {
        'azurewebsites.net SOA': [soaOf('azurewebsites.net')],
        'azurewebsites.net A': ['192.0.2.1'],
      };
      const app = 'gravelpath-booking.azurewebsites.net';
      return startNamed({
        host: 'www.gravelpath.org',
        handler: ({ path }) => (path === '/' ? html('<a href="https://booking.gravelpath.org/">Book</a>') : undefined),
        zone: {
          ...zone,
          'booking.gravelpath.org CNAME': [app],
          ...(variant === 'patched' ? { [`${app} A`]: ['192.0.2.2'] } : {}),
        },
      });
    },
  },
];
