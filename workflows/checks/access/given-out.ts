import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import { likeliest, type OmissionReporter } from '../inputs/at-most.ts';
import { neighboursOf } from '../sessions/neighbour-ids.ts';
import { addressesIn, addressOfObject, type ObjectAddress, objectsIn } from '../sessions/objects.ts';
import { type LeakedIds, leakedBeside } from './leaked-ids.ts';

/** An object whose page is refused to a user, and which a function of the site gives them all the same. */
export type RefusedObject = {
  page: HttpAction;
  /** How the page refuses. */
  status: number;
  given: HttpAction;
  nobody: HttpAction;
  identity: string;
};

type GivenOutPlace = Pick<Candidate, 'location'> & { route: string; data: RefusedObject };
type AskForObject = (as: 'user' | 'nobody', action: HttpAction) => Promise<Exchange | undefined>;

/** What gives out an object that has a page. */
const giving = /(?:^|[/_.-])(?:export|download|print(?:able)?|pdf|csv|raw|backup|archive|attachment)(?:$|[/_.-])/i;
/** Pages that are for the owner alone where everybody may read the object. */
const ofOwner = /edit|delete|update|remove|manage|setting|admin|share|move|publish/i;
const maxFunctions = 4;
const maxOthers = 5;
const giversLeft = 'functions that give out objects';

/**
 * Functions that give out objects of others by identifiers that can be counted, or that pages name: the page of the same object refuses
 * the user, and the function refuses visitors.
 * @throws ProbeError
 */
export async function givenOutPlaces(
  context: OmissionReporter,
  surface: Surface,
  { identity, leaked, ask }: { identity: string; leaked: LeakedIds; ask: AskForObject },
): Promise<GivenOutPlace[]> {
  const objects = objectsIn(surface);
  const led = addressesIn(surface);
  const found: GivenOutPlace[] = [];
  for (const [address, page] of likeliest(context, functionsIn(objects), maxFunctions, giversLeft)) {
    const at = (object: ObjectAddress, value: string): HttpAction => ({
      url: addressOfObject(object.url, object.in, object.parameter, object.identifier, value),
    });
    const others = neighboursOf(address.identifier) ?? leakedBeside(leaked, address.identifier, []);
    if (!others) continue;
    const nobody = at(address, others.nobody);
    const unled = others.values.filter((other) => !led.has(at(address, other).url));
    for (const other of likeliest(context, unled, maxOthers, 'identifiers of others')) {
      const [given, shown] = [at(address, other), at(page, other)];
      const refused = await ask('user', shown);
      if (!refused || ![401, 403, 404].includes(refused.status)) continue;
      if ((await ask('user', given))?.status !== 200) continue;
      if ((await ask('user', nobody))?.status === 200) break;
      if ((await ask('nobody', given))?.status === 200) continue;
      const { url, parameter, in: place, route } = address;
      const data = { page: shown, status: refused.status, given, nobody, identity };
      found.push({ location: { url, method: 'GET', parameter, parameterIn: place }, route, data });
      break;
    }
  }
  return found;
}

/** Functions, one of each kind, each with the page of the same object. */
function functionsIn(objects: readonly ObjectAddress[]): [ObjectAddress, ObjectAddress][] {
  const isPage = ({ route }: ObjectAddress) => !giving.test(route) && !ofOwner.test(route);
  const pairs = objects
    .filter(({ route }) => giving.test(route))
    .flatMap((address): [ObjectAddress, ObjectAddress][] => {
      const page = objects.find(
        (each) => each.identifier === address.identifier && isPage(each) && areOfOneThing(address, each),
      );
      return page ? [[address, page]] : [];
    });
  return [...new Map(pairs.toReversed().map((pair) => [pair[0].kind, pair])).values()].toReversed();
}

/** Things of different kinds often have the same number, and never the same random identifier. */
const areOfOneThing = (address: ObjectAddress, page: ObjectAddress): boolean =>
  !/^\d+$/.test(address.identifier) || namesIn(page.route).some((name) => namesIn(address.route).includes(name));

/** "order" of "/api/orders/{n}/export". */
const namesIn = (route: string): string[] =>
  (route.replace(/\{[^}]*\}/g, '').match(/[a-z]{3,}/gi) ?? [])
    .map((name) => name.toLowerCase().replace(/s$/, ''))
    .filter((name) => !/^(?:api|app|user|account)$/.test(name));

export const givenOutExperiment = ({ page, status, given, nobody, identity }: RefusedObject): Experiment => ({
  steps: [
    {
      http: page,
      identity,
      note: 'The page of an object of somebody else is refused to the user.',
      expect: [claim('status', 'equals', String(status))],
    },
    {
      http: given,
      identity,
      note: 'A function of the site gives the user the same object.',
      expect: [claim('status', 'equals', '200')],
      isShown: true,
    },
  ],
  control: [
    {
      http: nobody,
      identity,
      note: 'With an identifier of nobody it gives nothing.',
      expect: [claim('status', 'equals', '200')],
    },
  ],
});
