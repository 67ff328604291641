import type { Probe } from './probe.ts';

export const injectionProbes = {
  searchTermUnescaped: async (visitor) => (await visitor.get('/search?q=%3Ci%3Ek3v9')).text.includes('<em><i>k3v9'),

  searchTermInStatement: async (visitor) => {
    const [odd, even] = [await visitor.get("/search?q=oak'k3v9"), await visitor.get("/search?q=oak''k3v9")];
    return /near &quot;k3v9&quot;: syntax error/.test(odd.text) && !/syntax error/.test(even.text);
  },

  categoryInStatement: async (visitor) => {
    const pieces = async (condition: string) => {
      const { text } = await visitor.get(
        `/catalogue?category=${encodeURIComponent(`chairs' AND ${condition} AND 'a'='a`)}`,
      );
      return text.includes('Holm dining chair');
    };
    return (await pieces('7=8-1')) && !(await pieces('7=9-1'));
  },

  anyRedirectTarget: async (visitor) => {
    const { status, headers } = await visitor.get('/go?to=https%3A%2F%2Felsewhere.example%2Fpath');
    return status === 302 && headers.location === 'https://elsewhere.example/path';
  },

  guideByPath: async (visitor) => {
    const { text } = await visitor.get('/care/guide?file=../../../../etc/passwd');
    return text.includes('root:x:0:0:');
  },

  forwardedHostTrusted: async (visitor) => {
    const { text } = await visitor.get('/about', { 'x-forwarded-host': 'k3v9.example' });
    return text.includes('href="https://k3v9.example/about"');
  },

  requestsTraced: async (visitor) => (await visitor.trace('/about')).text.startsWith('TRACE /about HTTP/1.1\r\n'),

  fragmentAsMarkup: async (visitor) => (await visitor.get('/studio')).text.includes('data-messages="markup"'),
} satisfies Record<string, Probe>;
