const words = /check-?_?out|order|purchas|buy|pay|bestell|kauf(?!swagen)|kasse|command|achat|compra|pedido|acquist/i;

/** Whether a path says that something is ordered or paid. */
export const orders = (path: string): boolean => words.test(path);
