/** What script writes for a value that it has not. */
const nothing = /^(?:undefined|null|nan|\[object%20object\])$/i;

/** An address that script made of an answer which was kept from it: "/orders/undefined". No such page is meant. */
export function isOfNothing(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { pathname, searchParams, hash } = new URL(url);
  const route = hash.startsWith('#/') || hash.startsWith('#!/') ? hash.replace(/\?.*$/s, '') : '';
  return (
    [...pathname.split('/'), ...route.split('/')].some((part) => nothing.test(part)) ||
    [...searchParams.values()].some((value) => nothing.test(encodeURI(value)))
  );
}
