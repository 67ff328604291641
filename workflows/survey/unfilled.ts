/** Whether a script has put the name of nothing where a value belongs: "/orders/undefined". No page is expected there. */
export const isUnfilled = (pathname: string): boolean =>
  /\/(?:undefined|null|NaN|\[object(?:%20| )Object\])(?=\/|$)/.test(pathname);
