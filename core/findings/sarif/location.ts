import type { Location } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { artifactUri, clipped, messageText } from './text.ts';

export const maxUrlLength = 2_048;

/** For instance "GET https://shop.example/search, query parameter q". */
export function placeOf({ method, url, parameter, parameterIn }: Location): string {
  const where = parameter ? `, ${parameterIn ?? ''} parameter ${clipped(parameter, 120)}`.replace(/ {2,}/g, ' ') : '';
  return `${clipped(method, 40)} ${clipped(url, maxUrlLength)}${where}`.trim();
}

/** A place on a host: SARIF 2.1.0 §3.28. @param text what is said of it */
export function locationOf(location: Location | undefined, text = location && placeOf(location)): object {
  const { url = '', parameterIn } = location ?? {};
  const parameter = location?.parameter && clipped(location.parameter, 120);
  return {
    physicalLocation: {
      artifactLocation: { uri: artifactUri(url) },
      // A page has no lines, and code scanning services ask for one.
      region: { startLine: 1 },
    },
    ...(parameter && {
      logicalLocations: [
        { name: parameter, fullyQualifiedName: [parameterIn, parameter].filter(Boolean).join('.'), kind: 'parameter' },
      ],
    }),
    ...(text && { message: { text: messageText(text) } }),
  };
}
