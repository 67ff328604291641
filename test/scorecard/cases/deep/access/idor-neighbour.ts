import { createHash } from 'node:crypto';
import { type Answer, html, json, type Request, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

type Guest = { number: number; name: string; mail: string };
const guests: [Guest, Guest, Guest] = [
  { number: 310, name: 'Paula Voss', mail: 'paula@hotel.example' },
  { number: 311, name: 'Quentin Ray', mail: 'quentin@hotel.example' },
  { number: 312, name: 'Rosa Lind', mail: 'rosa@hotel.example' },
];
const [, own] = guests;
const session = 'b7d41c0f6e92';

/** A hotel with one test identity, whose account leads to what is theirs. */
const caseOf = (
  name: string,
  link: string,
  show: (request: Request, mayRead: (guest: Guest) => boolean) => Answer | undefined,
): ScoreCase => ({
  name,
  async start(variant) {
    const mayRead = (guest: Guest): boolean => variant === 'vulnerable' || guest === own;
    const site = await startSite((request) => {
      const isGuest = request.cookies.stay === session;
      if (request.path === '/') return html('<h1>Hotel</h1><a href="/me">Your stay</a>');
      if (!isGuest) return { status: 302, headers: { location: '/' } };
      if (request.path === '/me') return html(`<p>Signed in as ${own.name}, ${own.mail}</p>${link}`);
      return show(request, mayRead);
    });
    const identity = { name: 'A', cookies: { stay: session }, checkPath: '/me', marker: own.mail };
    return { ...site, options: { identities: [identity], startPaths: ['/me'] } };
  },
});

const passOf = ({ mail }: Guest): string => createHash('sha1').update(mail).digest('hex').slice(0, 24);
const keyOf = ({ number }: Guest): string => Buffer.from(`folio:${number}`).toString('base64');

export const cases: ScoreCase[] = [
  caseOf('pages of bills by their numbers', `<a href="/bills/${own.number}">Bill</a>`, ({ path }, mayRead) => {
    const guest = guests.find(({ number }) => path === `/bills/${number}`);
    return guest && mayRead(guest)
      ? html(`<h1>Bill</h1><dl><dt>Guest</dt><dd>${guest.name}</dd><dt>Mail</dt><dd>${guest.mail}</dd></dl>`)
      : undefined;
  }),
  caseOf(
    'files by numbers in base64',
    `<a href="/folio?key=${encodeURIComponent(keyOf(own))}">Folio</a>`,
    ({ path, query }, mayRead) => {
      const guest = path === '/folio' ? guests.find((each) => keyOf(each) === query.get('key')) : undefined;
      return guest && mayRead(guest)
        ? { headers: { 'content-type': 'text/plain' }, body: `Folio of ${guest.name} <${guest.mail}>\nMinibar 14.00` }
        : undefined;
    },
  ),
  caseOf('JSON of reservations', `<a href="/api/stays/${own.number}">Reservation</a>`, ({ path }, mayRead) => {
    const guest = guests.find(({ number }) => path === `/api/stays/${number}`);
    return guest && mayRead(guest)
      ? json({ id: guest.number, customer: guest.name, email: guest.mail, nights: 3 })
      : undefined;
  }),
  caseOf(
    'passes by random identifiers, which the guest book names as well',
    `<a href="/book">Guest book</a><a href="/pass?id=${passOf(own)}">Pass</a>`,
    ({ path, query }, mayRead) => {
      if (path === '/book') return json(guests.map((each) => ({ text: 'Lovely stay', guest: passOf(each) })));
      const guest = path === '/pass' ? guests.find((each) => passOf(each) === query.get('id')) : undefined;
      return guest && mayRead(guest)
        ? html(`<p>Guest: ${guest.name}</p><dl><dt>Your access token is</dt><dd>door-${guest.number * 7919}</dd></dl>`)
        : undefined;
    },
  ),
];
