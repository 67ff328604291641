import ipaddr from 'ipaddr.js';
import { callbackSpot } from '../../model/callbacks.ts';
import type { CallbackWay } from '../inputs/callback-look.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputAction } from '../inputs/input-request.ts';

export type FetchWay = CallbackWay & { address: string };

/**
 * Addresses of the listener for an input whose value may be fetched: the plain one for each, and those that pass lists of hosts
 * where the site's own value is an address.
 * @param leadingOn addresses that lead on to any behind them, for what takes places of the site's own only
 */
export function fetchWays(input: OpenedInput, host: string, leadingOn: readonly string[] = []): FetchWay[] {
  const spot = callbackSpot(host, '‹callback›');
  const way = (address: string): FetchWay => ({
    address,
    action: inputAction(input, address),
    inert: inputAction(input, '‹callback›'),
  });
  const own = URL.parse(input.sample.startsWith('//') ? `http:${input.sample}` : input.sample)?.host ?? '';
  const plain = way(`http://${spot}`);
  // What makes a document of markup loads what that names; the word alone would be loaded from the site itself.
  const inMarkup = (address: string) => `<img src="${address}"><iframe src="${address}"></iframe>`;
  const markup: FetchWay = {
    address: `http://${spot}`,
    action: inputAction(input, inMarkup(`http://${spot}`)),
    inert: inputAction(input, inMarkup('‹callback›')),
  };
  if (/^\s*<[a-z][^>]*>/i.test(input.sample) || /html|markup/i.test(input.parameter)) return [markup, plain];
  const ending = endingOf(input);
  const end = ending === undefined ? '' : `?‹nonce›${ending}`;
  const ended = end === '' ? [] : [way(`http://${spot}${end}`)];
  const others = [
    ...spelledOtherwise(host).map((each) => way(`http://${callbackSpot(each, '‹callback›')}${end}`)),
    ...leadingOn.map((begin) => way(`${begin}http://${spot}`)),
  ];
  if (own !== '')
    return [plain, ...ended, way(`//${spot}`), way(`http://${own}@${spot}`), way(`http://${spot}?${own}`), ...others];
  // What stands before it may be a scheme, or the beginning of an address.
  if (namesHost(input)) return [plain, way(spot), way(`@${spot}`), ...others];
  return [plain, ...ended, ...others];
}

/** An input whose value is a host without a scheme, by that or, where it has none, by its name. */
export const namesHost = ({ parameter, sample }: OpenedInput): boolean =>
  sample === ''
    ? /(?:^|[_.-])(?:ip|node|target)(?:$|[_.-])|host|domain|server|addr/i.test(parameter)
    : /^(?:[\w.-]+\.[a-z]{2,}|localhost|\d+(?:\.\d+){3})(?:[:/]|$)/i.test(sample);

/** What an address has to end in where only files of a kind are taken: as the site's own does, or as the name of the input or its place says. */
function endingOf({ sample, parameter, route }: OpenedInput): string | undefined {
  const [own] = /\.[a-z]{2,4}$/i.exec(URL.parse(sample)?.pathname ?? '') ?? [];
  if (own !== undefined) return own;
  if (sample !== '') return undefined;
  return [parameter, route].flatMap((name) => endings.find(([names]) => names.test(name))?.[1] ?? []).at(0);
}

const endings: readonly (readonly [names: RegExp, ending: string])[] = [
  [/avatar|image|img|photo|picture|logo|icon|thumb|cover|banner/i, '.png'],
  [/feed|rss|xml/i, '.xml'],
  [/pdf|document/i, '.pdf'],
];

/** An address of IPv4 in spellings that a list of refused ones lacks, with its port. Source: inet_aton(3). */
function spelledOtherwise(host: string): string[] {
  const [, address = '', port = ''] = /^(\d+(?:\.\d+){3})(:\d+)?$/.exec(host) ?? [];
  if (!ipaddr.IPv4.isValid(address)) return [];
  const [first = 0, second = 0, third = 0, fourth = 0] = ipaddr.IPv4.parse(address).octets;
  const number = ((first * 256 + second) * 256 + third) * 256 + fourth;
  return [`${number}${port}`, `[::ffff:${address}]${port}`];
}

/** Whether the listener stands inside: then a server that calls it does what it would not do for an address that is refused. */
export function isInternal(host: string): boolean {
  const [, address = ''] = /^\[?([^\]]*?)\]?(?::\d+)?$/.exec(host) ?? [];
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast');
}
