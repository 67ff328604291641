import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Request } from 'express';
import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase, Variant } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startPhp } from '../../../sites/php.ts';

const people: Record<string, string> = {
  s1a2b3c4d5e6f7: 'ann@northwind.example',
  s9z8y7x6w5v4u3: 'bob@northwind.example',
};
const personOf = ({ headers }: Request): string =>
  people[/sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''] ?? 'Please log in';
const identities = (checkPath: string) =>
  Object.entries(people).map(([sid, marker], index) => ({
    ...{ name: 'AB'[index] ?? '', cookies: { sid }, checkPath, marker },
  }));

/** One rule for all that the application sends, made for its pictures. */
const everything: ScoreCase = {
  name: 'shop that lets all its answers be kept for speed',
  start: (variant: Variant) => {
    const app = express();
    app.use(({ path }, response, next) => {
      const isForAll = variant === 'vulnerable' || path.startsWith('/pictures');
      response.set('Cache-Control', isForAll ? 'public, max-age=600' : 'no-store');
      next();
    });
    app.get('/', (_request, response) => void response.send('<a href="/account">Account</a>'));
    app.get('/pictures/lamp.svg', (_request, response) => void response.type('svg').send('<svg/>'));
    app.get('/account', (request, response) => void response.send(`<h1>Account</h1><p>${personOf(request)}</p>`));
    return startApp(app, { options: { identities: identities('/account') } });
  },
};

/** The JSON of a front end, kept by a network of servers; the mended one tells apart whose it is. */
const profile: ScoreCase = {
  name: 'interface that is kept for a minute in front of it',
  start: (variant: Variant) => {
    const app = express();
    app.get('/', (_request, response) => void response.send('<script>fetch("/api/me")</script>'));
    app.get('/api/me', (request, response) => {
      response.set('Cache-Control', 'max-age=0, s-maxage=60');
      if (variant === 'patched') response.vary('Cookie');
      response.json({ mail: personOf(request), plan: 'yearly' });
    });
    return startApp(app, { options: { identities: identities('/api/me') } });
  },
};

const accountInPhp = (limiter: string) => `<?php
session_cache_limiter(${JSON.stringify(limiter)});
session_id('onlyone');
session_start();
$people = ${`[${Object.entries(people).map(([sid, mail]) => `'${sid}' => '${mail}'`)}]`};
echo '<h1>Account</h1><p>', $people[$_COOKIE['sid'] ?? ''] ?? 'Please log in', '</p>';`;

/** PHP's own setting for what pages with a session say. */
const sessions: ScoreCase = {
  name: 'PHP whose sessions are started as public ones',
  async start(variant: Variant) {
    const folder = mkdtempSync(join(tmpdir(), 'php-account-'));
    writeFileSync(join(folder, 'index.php'), '<a href="/account.php">Account</a>');
    writeFileSync(join(folder, 'account.php'), accountInPhp(variant === 'vulnerable' ? 'public' : 'nocache'));
    const site = await startPhp(folder);
    return { ...site, options: { ...site.options, identities: identities('/account.php') } };
  },
};

export const cases: ScoreCase[] = [everything, profile, ...(isHere('php') ? [sessions] : [])];
