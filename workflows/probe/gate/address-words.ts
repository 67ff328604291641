import { addingForeign } from './words/applied.ts';
import { objects, states, storingVerbs } from './words/english.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';

const state = new RegExp(`^(?:${states})$`, 'u');
/** A word that keeps something. */
export const storing = new RegExp(`^(?:${storingVerbs}|${folded(addingForeign)})`, 'u');
/** What is acted on. */
export const object = new RegExp(`^(?:${objects})$`, 'u');

/** "/7/paid", "marked as read": what something becomes. */
export function isState(name: string): boolean {
  const [first = '', ...others] = tokensOf(decoded(name));
  return state.test(first) && others.every((token) => /^(?:for|as|in|by|of)$/.test(token) || object.test(token));
}

/** Values that name one thing, or say yes. */
export const objectLike = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|true|yes|on|up|down)$/i;

/** Files that are read as they are: what they are called is no command. */
export const dataFile =
  /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|txt|md|log|bak|old|orig|save|swp|tsx?|jsx|go|rs|java|kt|swift|c|h|cpp|hpp|cs|vue|svelte|s[ac]ss|less|ya?ml|toml|ini|conf|cfg|env|sh|rb|py|sql|gz|zip|tar|tgz|pdf|csv|lock|rst|dist|example|mp[34]|webm)$/i;

/** What pages are made of: a script is called like what it is for, and has its version in its query. */
export const asset = /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot)$/i;

/** A segment without its file's extension and its matrix parameters. */
export const withoutExtension = (segment: string): string =>
  segment.replace(/;.*$/s, '').replace(/\.[a-z][a-z0-9]{0,4}$/i, '');
