import { type ExposedPath, fileOf, mild } from './entry.ts';

const usable = fileOf(
  'a private key that needs no passphrase',
  'body:private-keys',
  '(?m)^(?:rsa(?:-pss)?|dsa|ec|ed25519|ed448|x25519|x448|dh|pgp|openssh [\\w-]+|putty [\\w@.-]+)$',
);
const locked = fileOf(
  'a private key behind a passphrase, which can be guessed at leisure',
  'body:private-keys',
  '(?m)^(?:encrypted|pkcs12|java key store)$',
  mild,
);

const keys = (paths: readonly string[], more: Partial<ExposedPath> = {}): ExposedPath => ({
  check: 'private-key',
  paths,
  readings: [usable, locked],
  ...more,
});

export const privateKeyPaths: readonly ExposedPath[] = [
  keys([
    'id_rsa',
    '.ssh/id_rsa',
    '.ssh/id_ed25519',
    '.ssh/id_ecdsa',
    '.ssh/id_dsa',
    'id_ed25519',
    'id_dsa',
    'id_ecdsa',
  ]),
  keys([
    'server.key',
    'private.key',
    'privatekey.key',
    'private-key.pem',
    'private.pem',
    'privkey.pem',
    'key.pem',
    'server.pem',
    'cert.pem',
    'ssl.key',
    'localhost.key',
    '{host}.key',
    '{host}.pem',
    '{name}.key',
  ]),
  keys([
    'ssl/server.key',
    'ssl/private.key',
    'ssl/{host}.key',
    'certs/server.key',
    'certs/private.key',
    'keys/private.pem',
  ]),
  keys([
    'server.p12',
    'server.pfx',
    'cert.pfx',
    'certificate.pfx',
    '{host}.pfx',
    '{name}.p12',
    'keystore.jks',
    '.keystore',
  ]),
  keys(['putty.ppk', 'id_rsa.ppk', 'key.ppk', 'private.ppk']),
  keys(['storage/oauth-private.key'], { stacks: ['laravel'] }),
  keys(['config/jwt/private.pem', 'var/jwt/private.pem', 'app/var/jwt/private.pem'], { stacks: ['symfony'] }),
  keys(['jwtRS256.key', 'jwt.key', 'jwt/private.pem'], { stacks: ['node'] }),
];
