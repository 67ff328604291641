import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Response } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';
import { cookieIn } from './refusing.ts';

/** Encrypts a text, and gives the text of what comes back. Throws what the library throws. */
export type Sealer = { seal(text: string): Buffer; open(bytes: Buffer): string };

/** In blocks of 16 or 8 bytes, with padding and without a signature. */
export function inBlocks(cipher: 'aes-128-cbc' | 'des-ede3-cbc'): Sealer {
  const [keySize, size] = cipher === 'aes-128-cbc' ? [16, 16] : [24, 8];
  const key = randomBytes(keySize);
  return {
    seal(text) {
      const start = randomBytes(size);
      const made = createCipheriv(cipher, key, start);
      return Buffer.concat([start, made.update(text), made.final()]);
    },
    open(bytes) {
      const made = createDecipheriv(cipher, key, bytes.subarray(0, size));
      return Buffer.concat([made.update(bytes.subarray(size)), made.final()]).toString('latin1');
    },
  };
}

/** As a stream, in which each bit stands for itself. */
export function asStream(): Sealer {
  const key = randomBytes(16);
  return {
    seal(text) {
      const start = randomBytes(16);
      return Buffer.concat([start, createCipheriv('aes-128-ctr', key, start).update(text)]);
    },
    open: (bytes) =>
      createDecipheriv('aes-128-ctr', key, bytes.subarray(0, 16)).update(bytes.subarray(16)).toString('latin1'),
  };
}

/** With authentication. */
export function authenticated(): Sealer {
  const key = randomBytes(32);
  return {
    seal(text) {
      const start = randomBytes(12);
      const made = createCipheriv('aes-256-gcm', key, start);
      return Buffer.concat([start, made.update(text), made.final(), made.getAuthTag()]);
    },
    open(bytes) {
      const made = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
      return Buffer.concat([made.update(bytes.subarray(12, -16)), made.final()]).toString('latin1');
    },
  };
}

/** The same with a signature behind it, which is checked before anything is decrypted. */
export function signed({ seal, open }: Sealer): Sealer {
  const key = randomBytes(32);
  const digest = (bytes: Buffer): Buffer => createHmac('sha256', key).update(bytes).digest();
  return {
    seal(text) {
      const own = seal(text);
      return Buffer.concat([own, digest(own)]);
    },
    open(bytes) {
      const [own, given] = [bytes.subarray(0, -32), bytes.subarray(-32)];
      if (given.length !== 32 || !timingSafeEqual(digest(own), given)) throw new Error('Unsupported state');
      return open(own);
    },
  };
}

const page = (title: string, body: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`;
const accounts = page('Accounts', '<ul><li>Ina Holm, 14 berths</li><li>Ole Brandt, 3 berths</li></ul>');

/** What a site answers when it cannot decrypt what it was sent, and when it can make nothing of it. */
type Failures = { undecrypted(response: Response): void; unread(response: Response): void };

export const plainFailures: Failures = {
  undecrypted: (response) => void response.status(500).send(page('Lagoon', 'Something went wrong.')),
  unread: (response) => void response.redirect('/start'),
};

/**
 * A site that keeps what a visitor is in a cookie.
 * @param may reads the text of it
 * @param links who is shown the link to the page that not everybody may see
 */
export function startSealedCookie(
  { seal, open }: Sealer,
  text: string,
  may: (text: string) => boolean | undefined,
  { undecrypted, unread }: Failures,
  links: 'all' | 'allowed' = 'all',
): Promise<ScoreSite> {
  const app = express();
  app.get('/start', (_request, response) => void response.send(page('Lagoon', '<a href="/">Harbour</a>')));
  const hidden = links === 'all' ? '/admin' : '/berths';
  for (const path of ['/', hidden])
    app.get(path, (request, response) => {
      const given = decodeURIComponent(cookieIn(request, 'visit'));
      if (given === '' && path === '/') response.cookie('visit', seal(text).toString('base64'));
      let read = text;
      try {
        if (given !== '') read = open(Buffer.from(given, 'base64'));
      } catch {
        return undecrypted(response);
      }
      const isAllowed = may(read);
      if (isAllowed === undefined) return unread(response);
      const link = links === 'all' || isAllowed ? `<a href="${hidden}">Administration</a> ` : '';
      if (path === '/') return void response.send(page('Lagoon', `${link}<a href="/start">Start</a> Welcome back`));
      return void (isAllowed ? response.send(accounts) : response.status(403).send(page('Lagoon', 'Forbidden')));
    });
  return startApp(app);
}

/** A site whose links name documents in something encrypted. */
export function startSealedLinks({ seal, open }: Sealer, { undecrypted, unread }: Failures): Promise<ScoreSite> {
  const app = express();
  const link = seal('{"document":"tides-of-november"}').toString('hex');
  app.get('/start', (_request, response) => void response.send(page('Lagoon', '<a href="/">Harbour</a>')));
  app.get('/', (_request, response) => void response.send(page('Lagoon', `<a href="/read?of=${link}">Tides</a>`)));
  app.get('/read', ({ query }, response) => {
    let text: string;
    try {
      text = open(Buffer.from(String(query.of), 'hex'));
    } catch {
      return undecrypted(response);
    }
    return text.includes('"tides-of-november"')
      ? void response.send(page('Tides', 'High at noon, low at six.'))
      : unread(response);
  });
  return startApp(app);
}
