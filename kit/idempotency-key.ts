/** What an Idempotency-Key may be, as an ECMAScript regular expression: 1 to 255 printable ASCII characters, none of them a space at an end. */
export const idempotencyKeyPattern = '^[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$';
