import { isSecretSetting } from '../../proof/files/setting-words.ts';
import { isReserved } from '../decisions/shown-more.ts';

/** Lines of programs for servers, as they are or as a page shows them; those for browsers are served anyway. */
const sourceLines = [
  /^(?:&lt;)?\?(?:php|=)/,
  /\$_(?:GET|POST|COOKIE|SERVER|SESSION|REQUEST|FILES|ENV)\b/,
  /^from [\w.]+ import \w|^@app\.(?:route|get|post)\(/,
  /^app\.(?:get|post|use|listen)\(/,
  /\brequire\((?:["']|&(?:quot|#39|#34);)(?:node:)?(?:express|koa|fs|path|child_process|sqlite3|mysql2?|pg|jsonwebtoken)\b/,
];
const setting = /^"?([A-Za-z_][\w.-]{2,40})"?\s*(?:=>|[:=])\s*["']?([^"']{3,})["']?,?$/;

/** Pieces of a page that a visitor is not meant to read: source code, secrets, data of people, controls of an administration. */
export const revealing = (pieces: readonly string[]): string[] =>
  pieces.filter((piece) => isReserved(piece) || isSetting(piece) || sourceLines.some((line) => line.test(piece)));

function isSetting(piece: string): boolean {
  const [, name, value] = setting.exec(piece) ?? [];
  return name !== undefined && value !== undefined && isSecretSetting(name, value);
}
