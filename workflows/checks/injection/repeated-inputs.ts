import type { InputSurface, PageSurface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest, type OmissionReporter } from '../inputs/at-most.ts';
import { folderPaths, namedPaths, pathsBehindFiles, rootPath } from '../inputs/path-inputs.ts';
import { carriedByOthers, inputsToProbe, loginNames } from '../inputs/probe-inputs.ts';

type RepeatContext = OmissionReporter & Pick<CheckContext, 'surface'>;

/** Folders of few pages that are asked for one that is not there. */
const maxFolders = 30;
/** Files that forms are sent to; what writes its address into one form does so in most. */
const maxFiles = 3;

/** Inputs that a link can carry, or a page elsewhere can post, and the path itself: error pages like to repeat it. */
export function repeatedInputs(context: RepeatContext): InputSurface[] {
  const { surface } = context;
  const given = surface.inputs.filter(
    ({ method, in: place }) => method === 'GET' && (place === 'query' || place === 'path'),
  );
  const posted = [...inputsToProbe(surface), ...loginNames(surface)].filter(
    (input) => input.in === 'body' && carriedByOthers(input),
  );
  const paths = surface.origins
    .filter(({ origin, redirectsTo }) => !redirectsTo || redirectsTo.startsWith(`${origin}/`))
    .map(({ origin }) => rootPath(origin));
  const named = namedPaths(surface);
  return [
    ...given,
    ...posted,
    ...named,
    ...surface.pages.filter(({ repeatsNames }) => repeatsNames).map(nameOfParameter),
    ...foldersOfFew(context, named),
    ...likeliest(context, pathsBehindFiles(surface), maxFiles, 'files that forms are sent to'),
    ...paths,
  ];
}

/** A parameter more, whose name is the value. */
const nameOfParameter = ({ url }: PageSurface): InputSurface => ({
  ...{ method: 'GET', url, route: normaliseRoute(url), parameter: 'name of a parameter', in: 'query', sample: '' },
  others: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
  renamed: { field: '', value: '1' },
});

/**
 * The last part of the address in folders whose pages do not show that it is a value: what is not there may be answered with it.
 * @param named inputs that are known to stand there
 */
export function foldersOfFew(context: RepeatContext, named: readonly InputSurface[]): InputSurface[] {
  const known = new Set(named.map(({ route }) => route));
  const folders = folderPaths(context.surface).filter(({ route }) => !known.has(route));
  return likeliest(context, folders, maxFolders, 'folders of pages');
}
