/** What stands for a masked value. */
export const mask = (value: string): string => `[masked, ${value.length} characters]`;

export const isMasked = (text: string): boolean => text.includes('[masked, ');
