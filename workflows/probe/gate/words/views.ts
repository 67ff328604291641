/** Parts of what a page shows: who hides, shows or folds them changes what is seen, and nothing else. */
export const viewParts = [
  'side ?bars?|menus?|nav|navigation|tool ?bars?|filters?|facets?|details?|panels?|panes?|columns?|previews?|maps?|legends?|thumbnails?|images|pictures|photos|avatars|signatures|quotes|spoilers|labels|descriptions|prices|taxes|tax|grids?|lists?|list ?view|grid ?view|tree|rows|lines?|numbers|headers?|footers?|ads|banner|help|hints?|tips|more|less|all|sections?|widgets?|charts?|graphs?|views?|layouts?|outline|toc|sql|quer(?:y|ies)|code|source|modals?|dialogs?|tabs?|pills?|drop ?downs?|pop ?overs?|tool ?tips?|off ?canvas|drawers?|collapse|accordions?|light ?box|carousel|contents|sub ?categories|replies|answers|branches|levels|seiten ?leiste|spalten|vorschau|karte|filtre|filtros|colonnes|kolumny|columnas',
].join('|');
/** What a list leaves out or shows: "hide completed". */
export const viewStates =
  'completed|closed|resolved|archived|read|unread|done|finished|empty|hidden|inactive|deleted|cancell?ed|past|old|expired|sold|sold ?out|unavailable|minor|bots?|anonymous|own|mine|edits|children|subpages|duplicates';
/** Verbs that show and hide. */
export const viewVerbs =
  'hide|unhide|show|toggle|collapse|expand|fold|unfold|open|close|switch|minimi[sz]e|maximi[sz]e';
