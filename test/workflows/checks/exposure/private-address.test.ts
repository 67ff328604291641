import { privateAddress } from '../../../../workflows/checks/exposure/private-address.check.ts';
import { addressSamples } from '../../../fixtures/exposed/special.ts';
import { html } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(privateAddress, addressSamples, {
  hasLookalikes: false,
  clean: {
    'writes about networks': () =>
      html('<p>The router is at 192.168.1.1.</p><a href="http://192.168.1.1/">open it</a>'),
    'has numbers with dots in versions': () =>
      html('<p>x</p>', 200, { server: 'Shop/10.0.4.2', 'x-version': '110.0.4.21' }),
    'repeats the address of whoever asks': () => html('<p>x</p>', 200, { 'x-client-ip': '10.1.2.3' }),
    'has a cookie of a balancer that is encrypted': () =>
      html('<p>x</p>', 200, { 'set-cookie': 'BIGipServerpool=!aGk1+/ZkQ=; path=/' }),
    'names public addresses': () => html('<img src="http://8.8.8.8/x.png">', 200, { 'x-backend': '198.51.100.4' }),
  },
}).run();
