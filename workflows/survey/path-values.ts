import { percentDecodedOrSame } from '../../kit/percent.ts';

/** Files that are served as they are: bundlers number and hash them. */
const codeFile = /\.(?:m?js|css|map|woff2?|ttf|otf)$/i;

/** Identifiers in a path. Their parameter is the number of the segment, from 1: "2" for 17 in "/orders/17". */
export function pathValues(pathname: string, route: string): { parameter: string; sample: string }[] {
  if (codeFile.test(pathname)) return [];
  const values = pathname.split('/').filter((segment) => segment !== '');
  return route
    .split('/')
    .slice(1)
    .flatMap((segment, index) =>
      segment.includes('{') ? [{ parameter: String(index + 1), sample: values[index] ?? '' }] : [],
    );
}

/** Matrix parameters: "1;color" for red in "/lamps;color=red". Identifiers of sessions are none. Source: RFC 3986 §3.3. */
export function matrixValues(pathname: string): { parameter: string; sample: string }[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, index) =>
    segment
      .split(';')
      .slice(1)
      .flatMap((part) => {
        const [, name = '', value = ''] = /^([\w.-]{1,40})=(.*)$/s.exec(part) ?? [];
        return name === '' || /sess|sid$/i.test(name)
          ? []
          : [{ parameter: `${index + 1};${name}`, sample: percentDecodedOrSame(value) }];
      }),
  );
}
