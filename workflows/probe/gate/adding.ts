import { intoBasket } from './words/applied.ts';
import { addingVerbs, finishingVerbs, installingVerbs } from './words/sending.ts';
import { folded } from './words/spelling.ts';

const basket = new RegExp(`(?<!\\p{L})${folded(intoBasket).replaceAll('\\s', '\\s')}(?!\\p{L})`, 'u');
const basketAlone = new RegExp(`^(?:${basket.source})$`, 'u');
const adding = new RegExp(`^(?:${addingVerbs})$`, 'u');
const finishing = new RegExp(`^(?:${finishingVerbs})$`, 'u');
const installing = new RegExp(`^(?:${installingVerbs})$`, 'u');

/** What in a label says that a thing is put into a basket. */
export const intoBasketIn = (label: string): string | undefined => basket.exec(folded(label))?.[0];

/** Whether a word by which something acts says that a thing is put into a basket, and no more. */
export const isIntoBasket = (word: string): boolean =>
  /^(?:(?:add|put)(?:to|in|into)?(?:my|your|the)?)?(?:cart|basket|bag|trolley)$/.test(word) ||
  basketAlone.test(folded(word));

/** Whether a word by which something acts says that something is added or handed over, and no more. */
export const isAdding = (word: string): boolean => adding.test(folded(word));

/** Whether it says that a row of steps ends here. */
export const isFinishing = (word: string): boolean => finishing.test(folded(word));

/** Whether it says that a file is taken in: what a site that has it can be used with. */
export const isInstalling = (word: string): boolean => installing.test(folded(word));
