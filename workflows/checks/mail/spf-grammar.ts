import { isIP } from 'node:net';

/** Source: RFC 7208 §7.1. */
const macro = /%(?:\{[slodiphcrtv]\d*r?[.+,/_=-]*\}|[%_-])/gi;
/** A name ends with a label that is no number and stands behind a dot, or with a macro, for which "%" stands here. Source: RFC 7208 §7.1. */
const domainEnd = /(?:\.(?:[a-z\d]*[a-z][a-z\d]*|[a-z\d]+-[a-z\d-]*[a-z\d])\.?|%)$/i;
/** A name has 253 characters; macros that are written out in it have a few more. */
const maxDomainLength = 1_000;
const networkEnd = /(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/;

/**
 * The first word that breaks the grammar, for which receivers give the whole record up. Source: RFC 7208 §4.6, §12.
 */
export function spfFault(record: string): string | undefined {
  const words = record.trim().split(/ +/).slice(1);
  const once = (name: string) => words.filter((word) => word.toLowerCase().startsWith(`${name}=`));
  return [...once('redirect').slice(1), ...once('exp').slice(1)][0] ?? words.find((word) => !isTerm(word));
}

function isTerm(word: string): boolean {
  if (/^redirect=/i.test(word)) return isDomain(word.slice('redirect='.length));
  if (/^[a-z][\w.-]*=/i.test(word)) return true;
  const [, name = '', value = ''] = /^[+?~-]?([a-z][\w.-]*)([:/].*)?$/i.exec(word) ?? [];
  switch (name.toLowerCase()) {
    case 'all':
      return value === '';
    case 'include':
    case 'exists':
      return value.startsWith(':') && isDomain(value.slice(1));
    case 'ptr':
      return value === '' || (value.startsWith(':') && isDomain(value.slice(1)));
    case 'a':
    case 'mx':
      return isHosts(value);
    case 'ip4':
      return isNetwork(value, 4);
    case 'ip6':
      return isNetwork(value, 6);
    default:
      return false;
  }
}

function isDomain(text: string): boolean {
  const rest = text.replace(macro, '\0');
  return text.length <= maxDomainLength && !rest.includes('%') && domainEnd.test(rest.replaceAll('\0', '%'));
}

/** A name or none, with the lengths of networks of both families. */
function isHosts(value: string): boolean {
  const [lengths = '', four = 0, six = 0] = networkEnd.exec(value) ?? [];
  if (Number(four) > 32 || Number(six) > 128) return false;
  const name = value.slice(0, value.length - lengths.length);
  return name === '' || (name.startsWith(':') && isDomain(name.slice(1)));
}

function isNetwork(value: string, family: 4 | 6): boolean {
  const [, address = '', length] = /^:([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  return isIP(address) === family && Number(length ?? 0) <= (family === 4 ? 32 : 128);
}
