/** One spelling for each name of the DNS: lower case, without the root's dot; "" is the root. Source: RFC 1035 §2.3.3. */
export const bareName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

export const sameName = (a: string, b: string): boolean => bareName(a) === bareName(b);

/** Whether a name stands below another one in the tree; "" is above all. */
export const isBelow = (name: string, above: string): boolean =>
  bareName(above) === '' ? bareName(name) !== '' : bareName(name).endsWith(`.${bareName(above)}`);

/** Names that are loopback everywhere, without asking anybody. Source: RFC 6761 §6.3. */
export const isLocalhost = (name: string): boolean => sameName(name, 'localhost') || isBelow(name, 'localhost');
