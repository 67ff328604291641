import { remembered } from './remembered.ts';

/** "tx_login[action]": plugins have a part of the parameters each. What is filtered by is no command. */
const inPart =
  /^(?!(?:f|q|filters?|search|query|where|sort|order|criteria)\[)[\w-]{1,60}\[(action|task|cmd|command|do)\]$/i;

/** The name of a parameter without its plugin, and without signs before it: "@action", ":action". */
export const plainName = remembered((name) => inPart.exec(name)?.[1] ?? name.replace(/^[@:$.!*~-]+/, ''));
