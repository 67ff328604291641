import { type Answer, html, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

type Lock = {
  form: string;
  wrong: Answer;
  /** Once there were too many. */
  closed: Answer;
  most: number;
};

const caseOf = (name: string, { form, wrong, closed, most }: Lock): ScoreCase => ({
  name,
  async start(variant) {
    let count = 0;
    const site = await startSite(({ method, path }) => {
      if (path === '/') return html('<h1>Parcels</h1><a href="/box">Your box</a>');
      if (path !== '/box') return undefined;
      if (method !== 'POST') return html(form);
      count += 1;
      return variant === 'patched' && count > most ? closed : wrong;
    });
    return { ...site, options: { depth: 'deep' } };
  },
});

const asking = (field: string, button: string): string =>
  `<form method="post" action="/box"><input name="${field}" maxlength="4"><button>${button}</button></form>`;

export const cases: ScoreCase[] = [
  caseOf('box whose limit is a status', {
    ...{ form: asking('pin', 'Open the box'), most: 5, closed: html('Slow down', 429) },
    wrong: html(`<p>This PIN does not fit.</p>${asking('pin', 'Open the box')}`),
  }),
  caseOf('gallery whose limit is announced', {
    ...{ form: asking('passcode', 'Enter'), most: 10, closed: html('<p>Closed for today.</p>') },
    wrong: html('<p>No gallery has this code.</p>'),
  }),
  caseOf('interface of a door, whose refusals are 403', {
    ...{ form: asking('access_code', 'Unlock'), most: 3, closed: html('<p>Ask at the desk.</p>', 403) },
    wrong: html('<p>Wrong code</p>', 403),
  }),
  {
    name: 'second factor of a library, behind the account that its page gives to readers',
    async start(variant) {
      let count = 0;
      const site = await startSite(({ method, path, body, cookies }) => {
        if (path === '/') return html('<p>Readers may try: iris / iris</p><a href="/login">Log in</a>');
        const away: Answer = { status: 303, headers: { location: '/login' } };
        if (path === '/login') {
          const form =
            '<form method="post"><input name="login"><input type="password" name="pass"><button>Log in</button></form>';
          const sent = new URLSearchParams(body);
          if (method !== 'POST') return html(form);
          if (sent.get('login') !== 'iris' || sent.get('pass') !== 'iris') return html(`<p>Not known</p>${form}`, 401);
          return { status: 303, headers: { location: '/code', 'set-cookie': 'half=iris-4; Path=/' } };
        }
        if (path !== '/code') return undefined;
        if (cookies.half !== 'iris-4') return away;
        if (method !== 'POST')
          return html(
            '<p>Enter the 6-digit code from your app.</p><form method="post"><input name="otp"><button>Go on</button></form>',
          );
        count += 1;
        return variant === 'patched' && count > 4 ? away : html('<p>This code is not right.</p>', 403);
      });
      return { ...site, options: { depth: 'deep', writes: 'create' } };
    },
  },
];
