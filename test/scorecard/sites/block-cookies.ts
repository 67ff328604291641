import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import express, { type Request } from 'express';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };

type Coding = 'hex' | 'base64url';
type Sealer = { seal(text: string): Buffer; open(bytes: Buffer): string };

function inBlocks(bits: 128 | 256): Sealer {
  const key = randomBytes(bits / 8);
  const name = `aes-${bits}-ecb`;
  return {
    seal(text) {
      const cipher = createCipheriv(name, key, null);
      return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    },
    open(bytes) {
      const decipher = createDecipheriv(name, key, null);
      return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8');
    },
  };
}

function authenticated(): Sealer {
  const key = randomBytes(32);
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

/** XOR with one letter: what is written otherwise and may be read by anybody is no encryption in blocks. */
const masked: Sealer = {
  seal: (text) => Buffer.from(text).map((byte) => byte ^ 0xaa) as Buffer,
  open: (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0xaa)).toString('utf8'),
};

type Guests = {
  sealer: Sealer;
  coding: Coding;
  write(name: string): string;
  nameIn(text: string): string | undefined;
  /** Names belong to one guest each and have no more letters. */
  longest?: number;
};

/** A board on which one goes by any name, which is kept in a cookie. */
function startGuests({ sealer, coding, write, nameIn, longest }: Guests): Promise<ScoreSite> {
  const app = express();
  const taken = new Set<string>();
  app.use(express.urlencoded({ extended: false }));
  const nameOf = ({ headers }: Request): string | undefined => {
    const [, kept = ''] = /(?:^|; )guest=([\w-]+)/.exec(headers.cookie ?? '') ?? [];
    try {
      return nameIn(sealer.open(Buffer.from(kept, coding)));
    } catch {
      return undefined;
    }
  };
  const escaped = (text: string) => text.replace(/[^\w ]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  app.get('/', (_request, response) =>
    response.send(
      '<h1>Board</h1><form method="post" action="/enter"><input name="alias"><button>Enter</button></form>',
    ),
  );
  app.post('/enter', (request, response) => {
    const alias = String(request.body.alias ?? '').slice(0, 200);
    if (longest !== undefined && (alias.length > longest || taken.has(alias)))
      return void response.status(400).send('<p>Please choose another name.</p>');
    taken.add(alias);
    response.cookie('guest', sealer.seal(write(alias)).toString(coding), { httpOnly: true });
    response.redirect(303, '/board');
  });
  app.get('/board', (request, response) => {
    const name = nameOf(request);
    if (name === undefined) return response.redirect('/');
    return response.send(`<h1>Board</h1><p>You are ${escaped(name)}</p>`);
  });
  return startApp(app, { options: create });
}

const asPairs = {
  write: (name: string) => `alias=${encodeURIComponent(name)}&rank=guest`,
  nameIn: (text: string) => new URLSearchParams(text).get('alias') ?? undefined,
};
const asJson = {
  write: (name: string) => JSON.stringify({ since: 2026, alias: name, rank: 'guest' }),
  nameIn: (text: string) => (JSON.parse(text) as { alias?: string }).alias,
};
const withBars = {
  write: (name: string) => `guest|${name.replaceAll('|', '')}|end`,
  nameIn: (text: string) => text.split('|')[1],
};

const of = (variant: Variant, bits: 128 | 256): Sealer => (variant === 'vulnerable' ? inBlocks(bits) : authenticated());

export const guestBoards: Record<string, (variant: Variant) => Promise<ScoreSite>> = {
  'pairs in hex (AES-128 in ECB)': (variant) => startGuests({ sealer: of(variant, 128), coding: 'hex', ...asPairs }),
  'pairs in hex, of names that are short and belong to one guest each': (variant) =>
    startGuests({ sealer: of(variant, 128), coding: 'hex', longest: 60, ...asPairs }),
  'JSON in base64 (AES-256 in ECB)': (variant) =>
    startGuests({ sealer: of(variant, 256), coding: 'base64url', ...asJson }),
  'a line with bars in hex (AES-256 in ECB)': (variant) =>
    startGuests({ sealer: of(variant, 256), coding: 'hex', ...withBars }),
};

export const startMaskedGuests = (): Promise<ScoreSite> => startGuests({ sealer: masked, coding: 'hex', ...withBars });
