import type { CallSurface, FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { isTokenField } from '../../probe/gate/structure.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { bodyInputs } from '../../survey/body-inputs.ts';
import { formInputs } from '../../survey/form-inputs.ts';

/** A request that puts a thing into a shopping basket, by its inputs, and what of it decides what is to be paid. */
export type BasketRequest = {
  url: string;
  /** Prices that the page gives the browser to send: nobody types them. */
  prices: InputSurface[];
  quantities: InputSurface[];
  /** Any of its inputs: their samples are the request as the page sends it. */
  plain: InputSurface;
};

const basketWords =
  /cart|basket|trolley|(?:^|[^a-z])bag(?:$|[^a-z])|warenkorb|einkaufswagen|panier|carrito|cesta|carrinho|carrello|winkelwagen|varukorg|koszyk|корзин/i;
/** What empties or changes a basket, orders what is in it, or asks for a payment. */
const otherWords =
  /check-?out|order|buy|pay|purchase|remove|delete|clear|empty|update|coupon|voucher|promo|gift|donat|tip|bid|offer|refund|sell/i;
const priceName =
  /^(?:.*[._-])?(?:price|unit_?price|item_?price|product_?price|cost|amount|preis|prix|precio|preco|prezzo)$/i;
const quantityName = /^(?:.*[._-])?(?:quantity|qty|count|units|number|num|anzahl|menge|quantite|cantidad|amount)$/i;
const thingName =
  /^(?:.*[._-])?(?:id|sku|product|item|article|article_?(?:id|no)|product_?(?:id|code|no)|item_?(?:id|code|no)|variant|book|ticket|slug|code|name|title)$/i;
const priceValue = /^\d{1,7}(?:[.,]\d{1,2})?$/;
/** An identifier, or a name of it in an address. */
const thingValue = /^[\w-]{1,40}$/;
const countValue = /^(?:\d{1,3})?$/;

/** "productId" is "product_Id". */
const spelled = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2');

/** Requests of a surface that put things into a basket, by a form or by script; each address once. */
export function basketRequests({ forms, calls, pages }: Surface): BasketRequest[] {
  const hasBasket = pages.some(({ url }) => basketWords.test(namedPath(url)));
  const found = [...forms.flatMap((form) => byForm(form, hasBasket)), ...calls.flatMap(byCall)];
  return [...new Map(found.toReversed().map((each) => [each.url, each])).values()].toReversed();
}

function byForm(form: FormSurface, hasBasket: boolean): BasketRequest[] {
  const { action, label = '', method, fields } = form;
  const isNamed = fillsBasket(namedPath(action), label) || (hasBasket && addsThing(form));
  if (method !== 'POST' || !isNamed) return [];
  if (fields.some(({ type }) => /^(?:file|password|email|tel|textarea)$/.test(type))) return [];
  const of = (kind: string) => new Set(fields.flatMap(({ name, type }) => (type === kind ? name : [])));
  const [hidden, counts] = [of('hidden'), of('number')];
  const things = new Set(
    fields.filter((field) => hidden.has(field.name) && !isTokenField(field)).map(({ name }) => name),
  );
  return requestOf(action, formInputs(form), {
    isGiven: ({ parameter }) => hidden.has(parameter),
    // Where no name says it, what the page gives along is which thing it is, and a number is how many of it.
    isThing: ({ parameter, sample }) => things.has(parameter) && thingValue.test(sample),
    isCount: ({ parameter }) => counts.has(parameter),
  });
}

/** What script sends is no field that somebody fills in, where the page shows none for it. */
function byCall({ method, url, body = '', contentType = '', pageUrl, control = '' }: CallSurface): BasketRequest[] {
  if (method !== 'POST' || !fillsBasket(namedPath(url), control)) return [];
  const { inputs } = bodyInputs({ method, url, contentType, body, page: { url: pageUrl, tokens: [] } });
  return requestOf(url, inputs, { isGiven: () => true, isThing: () => false, isCount: () => false });
}

const fillsBasket = (path: string, label: string): boolean =>
  (basketWords.test(path) || basketWords.test(label)) && !otherWords.test(path) && !otherWords.test(label);

/** On a site with a basket, "Add" beside a thing that the page names needs no other word. */
const addsThing = ({ label = '', fields }: FormSurface): boolean =>
  /^\W*add(?: (?:it|this|item|one))?\W*$/i.test(label) &&
  fields.some(({ name, type }) => type === 'hidden' && thingName.test(spelled(name))) &&
  fields.every(({ type }) => /^(?:hidden|number|submit|select|select-one|radio)$/.test(type));

type BasketKinds = Record<'isGiven' | 'isThing' | 'isCount', (input: InputSurface) => boolean>;

/** A price alone is what somebody offers or gives; one of a thing is the shop's. */
function requestOf(
  url: string,
  inputs: readonly InputSurface[],
  { isGiven, isThing, isCount }: BasketKinds,
): BasketRequest[] {
  const [plain] = inputs;
  const named = (pattern: RegExp) => inputs.filter(({ parameter }) => pattern.test(spelled(parameter)));
  const called = named(thingName);
  const amounts = inputs.filter((input) => priceValue.test(input.sample) && isGiven(input));
  const namedPrices = amounts.filter(({ parameter }) => priceName.test(spelled(parameter)));
  // What names the thing is no price; of the others the basket shows which one is.
  const isOther = (input: InputSurface) => !called.includes(input) && !quantityName.test(spelled(input.parameter));
  const prices = namedPrices.length > 0 || called.length === 0 ? namedPrices : amounts.filter(isOther);
  const things = called.length > 0 ? called : inputs.filter((input) => isThing(input) && !prices.includes(input));
  if (!plain || things.length === 0) return [];
  const counting = named(quantityName);
  const counts = counting.length > 0 ? counting : inputs.filter(isCount);
  const quantities = counts.filter(
    (input) => countValue.test(input.sample) && !prices.includes(input) && !things.includes(input),
  );
  return [{ url, prices, quantities, plain }];
}
