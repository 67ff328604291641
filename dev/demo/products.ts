/** What the shop sells. Prices are in cents. */
export const products = [
  {
    slug: 'holm-chair',
    name: 'Holm dining chair',
    category: 'chairs',
    cents: 24_900,
    stock: 31,
    text: 'Steam-bent ash with a woven paper-cord seat. Light enough to lift with two fingers, made to be handed down.',
  },
  {
    slug: 'reading-chair',
    name: 'Lantern reading chair',
    category: 'chairs',
    cents: 68_000,
    stock: 7,
    text: 'Deep, high-backed and quiet. Solid oak frame, wool cover that comes off for cleaning.',
  },
  {
    slug: 'three-leg-stool',
    name: 'Three-leg stool',
    category: 'chairs',
    cents: 9_500,
    stock: 64,
    text: 'Turned from one plank of beech. It stands still on any floor, as three legs do.',
  },
  {
    slug: 'oak-table',
    name: 'Linde oak table',
    category: 'tables',
    cents: 139_000,
    stock: 4,
    text: 'A table for eight with breadboard ends, oiled by hand. The two leaves are stored under the top.',
  },
  {
    slug: 'side-table',
    name: 'Round side table',
    category: 'tables',
    cents: 31_500,
    stock: 18,
    text: 'A lipped oak tray on a folding stand: breakfast in bed, books beside the sofa.',
  },
  {
    slug: 'paper-lamp',
    name: 'Paper floor lamp',
    category: 'lamps',
    cents: 17_900,
    stock: 22,
    text: 'Mulberry paper over a bent-wood frame. Gives the light of a late afternoon.',
  },
  {
    slug: 'desk-lamp',
    name: 'Pivot desk lamp',
    category: 'lamps',
    cents: 21_000,
    stock: 15,
    text: 'Balanced brass arm, linen shade. Stays exactly where you leave it.',
  },
  {
    slug: 'wall-shelf',
    name: 'Ladder shelf',
    category: 'storage',
    cents: 44_500,
    stock: 9,
    text: 'Five shelves between two rails that lean against the wall. No screws, no tools.',
  },
] as const;

export const categories = ['chairs', 'tables', 'lamps', 'storage'] as const;

/** Woods that the studio offers, and what they add to the price. */
export const woods = [
  { slug: 'ash', name: 'Ash', tone: '#d9c29c', cents: 0 },
  { slug: 'oak', name: 'Oak', tone: '#b98d55', cents: 4_000 },
  { slug: 'walnut', name: 'Walnut', tone: '#6b4a33', cents: 12_500 },
] as const;

/** Makers and partners that the shop links to. */
export const partners = [
  { name: 'Nordvik Weavers', url: 'https://nordvik-weavers.example/' },
  { name: 'Oakwright Timber', url: 'https://oakwright.example/our-forests' },
] as const;
