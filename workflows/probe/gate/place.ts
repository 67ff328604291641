import { normaliseRoute } from '../routes.ts';

/** What requests to one route are counted as: "GET /orders/{id}". */
export const placeOf = (method: string, url: string): string => `${method} ${normaliseRoute(url)}`;
