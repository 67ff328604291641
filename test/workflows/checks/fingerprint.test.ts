import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fingerprintOf } from '../../../workflows/checks/fingerprint.ts';

const fingerprints = suite('fingerprint');

const at = (url: string, parameter?: string, parameterIn?: 'query' | 'body' | 'path') =>
  fingerprintOf('injection.xss', {
    location: { url, ...(parameter && { parameter }), ...(parameterIn && { parameterIn }) },
  });

fingerprints('it is 32 hexadecimal digits', () => {
  assert.match(at('https://a.example/'), /^[0-9a-f]{32}$/);
});

fingerprints('identifiers, values, ports and schemes do not change it', () => {
  const one = at('https://a.example/orders/17?q=a', 'q', 'query');
  assert.is(at('http://a.example:8443/orders/4711?q=bcd', 'q', 'query'), one);
});

fingerprints('the check, the route, the parameter and its place each change it', () => {
  const all = [
    at('https://a.example/orders/17', 'q', 'query'),
    at('https://a.example/orders/17', 'q', 'body'),
    at('https://a.example/orders/17', 'r', 'query'),
    at('https://a.example/users/17', 'q', 'query'),
    fingerprintOf('injection.sqli', {
      location: { url: 'https://a.example/orders/17', parameter: 'q', parameterIn: 'query' },
    }),
  ];
  assert.is(new Set(all).size, all.length);
});

fingerprints('any value in the place of the path that takes one is the same', () => {
  const one = at('https://a.example/parcels/17', '2', 'path');
  assert.is(at('https://a.example/parcels/test', '2', 'path'), one);
  assert.is.not(at('https://a.example/letters/test', '2', 'path'), one);
});

fingerprints('a route that the check gives goes before that of the URL', () => {
  const site = (url: string) => fingerprintOf('headers.csp-missing', { location: { url }, route: '*' });
  assert.is(site('https://a.example/a'), site('https://a.example/b'));
});

fingerprints.run();
