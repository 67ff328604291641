import type { HeaderList } from '../../model/http.ts';
import { refreshOf } from '../../model/refresh.ts';
import { addressesInPolicy } from './tag.ts';

/** Headers whose value is an address. */
const single = /^(?:content-location|location|sourcemap|x-sourcemap|x-pingback)$/i;

/** Addresses that an answer's headers name. */
export const addressesInHeaders = (headers: HeaderList): string[] =>
  headers.flatMap(([name, value]) => {
    if (single.test(name)) return [value];
    // Source: RFC 8288.
    if (/^link$/i.test(name)) return [...value.matchAll(/<([^>]{1,2048})>/g)].map(([, url = '']) => url);
    if (/^refresh$/i.test(name)) return refreshOf(value)?.address ?? [];
    if (/^content-security-policy(?:-report-only)?$/i.test(name)) return addressesInPolicy(value);
    if (/^report(?:ing-endpoints|-to)$/i.test(name))
      return value.match(/(?<=")(?:https?:\/\/|\/)[^"]{1,2048}(?=")/g) ?? [];
    return [];
  });
