const padded = /^(?:[\w+/]{4})+(?:[\w+/]{3}=|[\w+/]{2}==)$/;

/** A value in base64, whose first sign may happen to be a slash: "/WHgPc0=". No address without a query ends in its padding. */
export const isPaddedBase64 = (text: string): boolean => padded.test(text);
