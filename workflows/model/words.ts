/** "was" of one, "were" of several. */
export const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');

/** "1 place", "2,000 places". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
