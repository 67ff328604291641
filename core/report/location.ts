import { type Html, html } from '../../kit/html.ts';
import type { Location } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { clip } from './text.ts';

/** A place in one line: method, address, parameter. */
export function locationLine(location: Location | undefined): Html {
  if (!location) return html`<span class="none">place not recorded</span>`;
  const { url, method, parameter, parameterIn } = location;
  return html`<span class="method">${clip(method, 40)}</span> <code class="url">${clip(url, 600)}</code>${
    parameter !== undefined &&
    parameter !== '' &&
    html` <span class="parameter">${parameterName(parameterIn)} <code>${clip(parameter, 120)}</code></span>`
  }`;
}

/** Of a path, the parameter is the number of its segment. */
function parameterName(parameterIn: string | undefined): string {
  if (parameterIn === 'path') return 'path segment';
  return parameterIn === undefined ? 'parameter' : `${clip(parameterIn, 40)} parameter`;
}
