const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL takes the text for a UUID, in its canonical spelling (RFC 9562 §4). */
export const isUuid = (text: string): boolean => uuid.test(text);
