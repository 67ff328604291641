/** Stands in an address for the expression that a page opened by it shows in a dialog. */
const slot = '‹script›';

/**
 * The address of a page that ran `alert(/nonce/.source)`, with a slot for another expression in place of the nonce.
 * @returns undefined when the call was written in a way that takes nothing but a word
 */
export function scriptAddress(address: string, nonce: string): string | undefined {
  const call = new RegExp(`(?:/|%2F)${nonce}(?:/|%2F)\\.source`, 'i');
  return nonce !== '' && call.test(address) ? address.replace(call, slot) : undefined;
}

/** @param expression without characters that an address cannot have */
export const withExpression = (address: string, expression: string): string => address.replace(slot, expression);
