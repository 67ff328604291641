import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHost, parseTarget } from '../../../core/domains/target.ts';
import { Refusal } from '../../../core/errors.ts';

const accepted: [input: string, url: string, host: string, port?: number][] = [
  ['https://example.com', 'https://example.com/', 'example.com'],
  ['http://example.com', 'http://example.com/', 'example.com'],
  ['example.com', 'https://example.com/', 'example.com'],
  ['  example.com ', 'https://example.com/', 'example.com'],
  ['EXAMPLE.Com', 'https://example.com/', 'example.com'],
  ['HTTPS://Example.COM/Path?Q=1', 'https://example.com/Path?Q=1', 'example.com'],
  ['example.com/a/../b', 'https://example.com/b', 'example.com'],
  ['example.com?x=1', 'https://example.com/?x=1', 'example.com'],
  ['https://example.com/a#part', 'https://example.com/a', 'example.com'],
  ['example.com#part', 'https://example.com/', 'example.com'],
  ['https://example.com/a?b=c:d@e', 'https://example.com/a?b=c:d@e', 'example.com'],
  ['https://example.com/ü', 'https://example.com/%C3%BC', 'example.com'],
  ['example.com:8443', 'https://example.com:8443/', 'example.com', 8443],
  ['example.com:8443/path', 'https://example.com:8443/path', 'example.com', 8443],
  ['http://example.com:8080', 'http://example.com:8080/', 'example.com', 8080],
  ['https://example.com:443', 'https://example.com/', 'example.com'],
  ['http://example.com:80', 'http://example.com/', 'example.com'],
  ['http://example.com:443', 'http://example.com:443/', 'example.com', 443],
  ['https://example.com:', 'https://example.com/', 'example.com'],
  ['example.com.', 'https://example.com/', 'example.com'],
  ['https://example.com.:8443/', 'https://example.com:8443/', 'example.com', 8443],
  ['bücher.example', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://faß.de', 'https://xn--fa-hia.de/', 'xn--fa-hia.de'],
  ['例え.テスト', 'https://xn--r8jz45g.xn--zckzah/', 'xn--r8jz45g.xn--zckzah'],
  ['ｅｘａｍｐｌｅ．com', 'https://example.com/', 'example.com'],
  ['ex%61mple.com', 'https://example.com/', 'example.com'],
  ['under_score.example.com', 'https://under_score.example.com/', 'under_score.example.com'],
  ['xn--bcher-kva.example', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['http://localhost:3000/app', 'http://localhost:3000/app', 'localhost', 3000],
  ['192.0.2.7', 'https://192.0.2.7/', '192.0.2.7'],
  ['192.0.2.7:8080', 'https://192.0.2.7:8080/', '192.0.2.7', 8080],
  ['http://3221225991', 'http://192.0.2.7/', '192.0.2.7'],
  ['http://0xC0.0.2.7', 'http://192.0.2.7/', '192.0.2.7'],
  ['http://0300.0.02.07', 'http://192.0.2.7/', '192.0.2.7'],
  ['http://192.0.519', 'http://192.0.2.7/', '192.0.2.7'],
  ['http://192.0.2.7.', 'http://192.0.2.7/', '192.0.2.7'],
  ['https://[2001:DB8:0::1]', 'https://[2001:db8::1]/', '2001:db8::1'],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/', '2001:db8::1', 8443],
  ['2001:db8::1', 'https://[2001:db8::1]/', '2001:db8::1'],
  ['https://[::ffff:192.0.2.7]/', 'https://[::ffff:c000:207]/', '::ffff:c000:207'],
  [`${'a'.repeat(63)}.example.com`, `https://${'a'.repeat(63)}.example.com/`, `${'a'.repeat(63)}.example.com`],
];

const refused: [input: string, reason: string, detail: RegExp][] = [
  ['', 'empty', /Give the URL/],
  ['   ', 'blank', /Give the URL/],
  ['https://', 'no host', /Write the host/],
  ['https:///example.com', 'no authority', /Write the host/],
  ['https:example.com', 'no slashes', /Write the host/],
  ['https:/example.com', 'one slash', /Write the host/],
  ['//example.com', 'no scheme', /Begin with/],
  ['/path', 'a path', /Begin with/],
  ['?q=1', 'a query', /Begin with/],
  ['ftp://example.com', 'another scheme', /Only http and https/],
  ['javascript:alert(1)', 'a script', /Only http and https/],
  ['data:text/html,x', 'a data URL', /Only http and https/],
  ['mailto:a@example.com', 'a mail address', /Only http and https/],
  ['file:///etc/passwd', 'a file', /Only http and https/],
  ['https://user@example.com', 'a user', /user name and password/],
  ['https://user:secret@example.com', 'a password', /user name and password/],
  ['https://@example.com', 'empty user-info', /user name and password/],
  ['user@example.com', 'a user before a bare host', /user name and password/],
  ['https://example.com:0', 'port 0', /port from 1/],
  ['https://example.com:65536', 'a port above the last', /port from 1/],
  ['example.com:99999', 'a port above the last after a bare host', /port from 1/],
  ['https://example.com:8a', 'a port of letters', /not a host name/],
  ['https://exa mple.com', 'a space', /spaces and control/],
  ['https://example.com/a b', 'a space in the path', /spaces and control/],
  ['https://example.com/\u0000', 'a null', /control/],
  ['exam\tple.com', 'a tab, which the standard would drop', /control/],
  ['https://example.com/\r\nX: y', 'a line break', /control/],
  ['https://example.com/\u007f', 'a delete', /control/],
  ['https://example.com/\u0085', 'a C1 control', /control/],
  ['https:\\\\example.com', 'backslashes', /Use "\/"/],
  ['https://example.com\\@evil.example', 'a backslash before user-info', /Use "\/"/],
  ['https://example.com/\ud800', 'half a surrogate pair', /well-formed/],
  ['localhost', 'one label', /full name/],
  ['https://intranet/', 'one label in a URL', /full name/],
  ['com.', 'one label and a dot', /full name/],
  ['https://example..com', 'an empty label', /not a host name/],
  ['https://.example.com', 'an empty first label', /not a host name/],
  ['example.com..', 'two dots at the end', /not a host name/],
  ['.', 'a dot', /not a host name/],
  ['*.example.com', 'a wildcard', /not a host name/],
  ['-a.example.com', 'a leading hyphen', /not a host name/],
  ['a-.example.com', 'a trailing hyphen', /not a host name/],
  ['exa!mple.com', 'a sign', /not a host name/],
  [`${'a'.repeat(64)}.example.com`, 'a label of 64', /not a host name/],
  [`${'abcdefg.'.repeat(32)}com`, 'a name of 259', /not a host name/],
  ['https://1.2.3.256', 'an address out of range', /not a host name/],
  ['https://host.0x1', 'a number for a last label', /not a host name/],
  ['https://[::1', 'an open bracket', /not a host name/],
  ['https://[fe80::1%25eth0]/', 'an address with a zone', /not a host name/],
  [`https://example.com/${'a'.repeat(2_029)}`, '2,049 characters', /Shorten/],
  [`https://example.com/${'ü'.repeat(400)}`, '2,420 characters when encoded', /Shorten/],
];

const target = suite('target');

for (const [input, url, host, port] of accepted)
  target(`reads ${JSON.stringify(input)}`, () => {
    const { schemeGiven: _, ...parsed } = parseTarget(input);
    assert.equal(parsed, { url, host, ...(port === undefined ? {} : { port }) });
  });

for (const [input, reason, detail] of refused)
  target(`refuses ${reason}: ${JSON.stringify(input.slice(0, 40))}`, () => {
    try {
      parseTarget(input);
    } catch (error) {
      assert.instance(error, Refusal);
      const refusal = error as Refusal;
      assert.is(refusal.reason, 'INVALID_URL');
      assert.match(refusal.message, detail);
      return;
    }
    assert.unreachable('it was accepted');
  });

target('remembers whether a scheme was given', () => {
  assert.is(parseTarget('http://example.com').schemeGiven, true);
  assert.is(parseTarget('example.com:8443').schemeGiven, false);
  assert.is(parseTarget('2001:db8::1').schemeGiven, false);
});

target('accepts a URL of exactly 2,048 characters', () => {
  const url = `https://example.com/${'a'.repeat(2_028)}`;
  assert.is(parseTarget(url).url, url);
});

target('reads what it wrote as the same target', () => {
  for (const [input] of accepted) {
    const once = parseTarget(input);
    assert.equal(parseTarget(once.url), { ...once, schemeGiven: true });
  }
});

target('spells a host as scans are stored', () => {
  assert.is(canonicalHost('Bücher.Example.'), 'xn--bcher-kva.example');
  assert.is(canonicalHost('[2001:DB8::1]'), '2001:db8::1');
  assert.is(canonicalHost('2001:db8::1'), '2001:db8::1');
});

target('spells no host where there is more or less than one', () => {
  for (const input of ['', 'example.com/a', 'example.com:8443', 'https://example.com', 'a@example.com', 'localhost'])
    assert.is(canonicalHost(input), undefined, input);
});

target.run();
