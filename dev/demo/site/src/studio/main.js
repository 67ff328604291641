import { apiToken, readProfile, readRange } from './data.js';
import { choice, element, message, piece } from './view.js';

const root = document.querySelector('#studio');

/** For the button of the payment service. */
root.dataset.paymentKey = '__PAYMENT_KEY__';

/** The piece stands in the fragment, so that it can be sent to somebody: /studio#oak-table */
const slugInAddress = () => decodeURIComponent(location.hash.slice(1));

function show({ products, woods, profile }, wood) {
  const slug = slugInAddress();
  const product = products.find((each) => each.slug === slug) ?? products[0];
  const draw = (chosen) => show({ products, woods, profile }, chosen);
  const choose = (each) => {
    history.replaceState(null, '', `#${each.slug}`);
    draw(wood);
  };
  root.replaceChildren(
    ...(slug === '' || product.slug === slug ? [] : [message(root, `We do not make "${slug}".`)]),
    choice('Piece', products, product, choose),
    choice('Wood', woods, wood, draw),
    piece(product, wood),
    ...(profile ? [element('p', 'aside', `We deliver to ${profile.street}, ${profile.city}.`)] : []),
  );
  if (window.jQuery) window.jQuery(root).find('.piece').hide().fadeIn(200);
}

async function start() {
  const token = root.dataset.access === 'token' ? await apiToken() : undefined;
  const [range, profile] = await Promise.all([readRange(), readProfile(token)]);
  const redraw = () => show({ ...range, profile }, range.woods[0]);
  addEventListener('hashchange', redraw);
  redraw();
}

start();
