import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { html, type Request, redirect, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

type World = { bench: Workbench; seen: string[] };
const test = suite<World>('accounts that take more than one form to open');

test.before(async (world) => {
  world.seen = [];
  const looking = checkLike({
    id: 'users.seen',
    depth: 'deep',
    detect({ identities }) {
      world.seen.push(...Object.keys(identities));
      return [];
    },
  });
  world.bench = await openWorkbench(registryOf([looking], []));
});
test.after(({ bench }) => bench.close());

type ClubMember = { mail: string; word: string; isActive: boolean };
type RegistrationWay = {
  menu: string;
  /** Takes what is posted, or shows a form; undefined for what is no part of the registration. */
  answer(
    request: Request,
    fields: URLSearchParams,
    members: Map<string, ClubMember>,
  ): ReturnType<typeof html> | undefined;
};

const form = (action: string, fields: string, button: string) =>
  `<form method=post action="${action}">${fields}<button>${button}</button></form>`;

/** A code on another page, a password that the site makes, and an address that confirms it. */
const invited: RegistrationWay = {
  menu: '<a href="/about">About</a> <a href="/become">Become a member</a>',
  answer({ method, path, query }, fields, members) {
    if (path === '/about') return html('<p>The invitation code of this season is <b>MAPLE-3301</b>.</p>');
    if (path === '/activate') {
      const member = [...members.values()].find(({ word }) => word.startsWith(query.get('key') ?? '-'));
      if (member) member.isActive = true;
      return html(member ? '<p>Thank you.</p>' : '<p>Unknown.</p>', member ? 200 : 404);
    }
    if (path !== '/become') return undefined;
    if (method !== 'POST')
      return html(
        form(
          '/become',
          '<input name=fullname><input name=email type=email><input name=invite_code>',
          'Become a member',
        ),
      );
    const mail = fields.get('email') ?? '';
    if (fields.get('invite_code') !== 'MAPLE-3301' || fields.get('fullname') === '' || !mail.includes('@'))
      return html('<p>No.</p>');
    const word = `${randomBytes(5).toString('hex')}Z`;
    members.set(mail, { mail, word, isActive: false });
    return html(
      `<p>Your password is <code>${word}</code>.</p><a href="/activate?key=${word.slice(0, 10)}">Activate your account</a>`,
    );
  },
};

/** The address first, then a code that the next page shows, with the password and a box to tick. */
const stepwise: RegistrationWay = {
  menu: '<a href="/new">Sign up</a>',
  answer({ method, path, cookies }, fields, members) {
    const mail = Buffer.from(cookies.step ?? '', 'base64url').toString();
    if (path === '/new') {
      if (method !== 'POST') return html(form('/new', '<input name="user[email]" type=email>', 'Sign up'));
      const step = Buffer.from(fields.get('user[email]') ?? '').toString('base64url');
      return { status: 303, headers: { location: '/new/finish', 'set-cookie': `step=${step}; Path=/` }, body: '' };
    }
    if (path !== '/new/finish') return undefined;
    const own =
      '<input name="user[password]" type=password><input name="user[password_confirmation]" type=password><input type=date name=born><input type=checkbox name=terms value=yes>';
    if (method !== 'POST') return html(form('/new/finish', own, 'Continue'));
    const word = fields.get('user[password]') ?? '';
    if (
      word.length < 8 ||
      word.includes(mail.replace(/@.*$/s, '')) ||
      word !== fields.get('user[password_confirmation]') ||
      fields.get('terms') !== 'yes'
    )
      return html('<p>No.</p>', 422);
    members.set(mail, { mail, word, isActive: true });
    return redirect('/login', 303);
  },
};

/** Whoever registers is logged in; the login itself takes nobody, as one does that wants a code by mail. */
const direct: RegistrationWay = {
  menu: '<a href="/join">Join</a>',
  answer({ method, path }, fields, members) {
    if (path !== '/join') return undefined;
    if (method !== 'POST')
      return html(form('/join', '<input name=email type=email><input name=word type=password>', 'Sign up'));
    const [mail, word] = [fields.get('email') ?? '', fields.get('word') ?? ''];
    members.set(mail, { mail, word, isActive: false });
    return { status: 303, headers: { location: '/desk', 'set-cookie': `sid=direct-${mail}; Path=/` }, body: '' };
  },
};

async function gained({ bench, seen }: World, { menu, answer }: RegistrationWay, writes: Writes = Writes.CREATE) {
  const members = new Map<string, ClubMember>();
  const sessions = new Map<string, string>();
  const login = form('/login', '<input name=email type=email><input name=word type=password>', 'Log in');
  const site = await startSite(
    (request) => {
      const { method, path, body, cookies } = request;
      const fields = new URLSearchParams(body);
      const [, entered = ''] = (cookies.sid ?? '').split('direct-');
      const user = sessions.get(cookies.sid ?? '') ?? members.get(entered)?.mail;
      if (path === '/') return html(`<h1>Club</h1>${menu} <a href="/login">Log in</a>`);
      if (path === '/desk')
        return user ? html(`<h1>Desk of ${user}</h1><a href="/logout">Log out</a>`) : redirect('/login');
      if (path !== '/login') return answer(request, fields, members);
      if (method !== 'POST') return html(login);
      const member = members.get(fields.get('email') ?? '');
      if (!member?.isActive || member.word !== fields.get('word')) return html(`<p>Wrong.</p>${login}`);
      const id = randomBytes(9).toString('hex');
      sessions.set(id, member.mail);
      return { status: 303, headers: { location: '/desk', 'set-cookie': `sid=${id}; Path=/; HttpOnly` }, body: '' };
    },
    { host: bench.host },
  );
  seen.length = 0;
  try {
    await bench.domains.putScope({ domain: bench.host, scope: { writes } });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const { status } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    return { seen: [...seen], members: members.size };
  } finally {
    await site.close();
  }
}

further(test)('a code that a page shows, a password that was made and an address that confirms', async (world) => {
  assert.equal((await gained(world, invited)).seen, ['registered_1', 'registered_2']);
});

further(test)('an address first, then a password and a box', async (world) => {
  assert.equal((await gained(world, stepwise)).seen, ['registered_1', 'registered_2']);
});

further(test)('the session that a registration begins, where the login takes nobody', async (world) => {
  assert.equal((await gained(world, direct)).seen, ['registered_1', 'registered_2']);
});

test('none where the scope does not allow what stays', async (world) => {
  assert.equal(await gained(world, stepwise, Writes.REVERSIBLE), { seen: [], members: 0 });
});

test.run();
