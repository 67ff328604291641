/** A link of a page, with what says what it does. */
export type PageLink = {
  url: string;
  text: string;
  /** What it is called for those who do not see it: titles and alternative texts, one a line. */
  hints?: string;
  /** Names of the classes of its icon. */
  icons?: string;
  /** With the fragment that the page's script reads as an address: "https://shop.example/#/orders". */
  route?: string;
  /** It leads to a part of the page that it stands on. */
  isHere?: true;
  /** The page sends something else than a GET there, asks before it goes there, or gives it the token that its forms take. */
  acts?: 'sends' | 'asks' | 'guards';
};
