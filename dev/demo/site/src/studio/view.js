/** An element with a class and content. */
export function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

/** The piece as it was chosen, and what it costs. */
export function piece(product, wood) {
  const image = element('img', '');
  image.src = `/assets/${product.slug}.svg`;
  image.alt = `${product.name} in ${wood.name}`;
  const figure = element('figure', 'piece', image, element('figcaption', '', `${product.name} in ${wood.name}`));
  return element('div', '', figure, element('p', 'price', euros.format((product.cents + wood.cents) / 100)));
}

/** Buttons of which one is chosen. */
export function choice(title, items, chosen, choose) {
  const buttons = items.map((item) => {
    const button = element('button', item === chosen ? '' : 'quiet', item.name);
    button.type = 'button';
    button.setAttribute('aria-pressed', String(item === chosen));
    button.addEventListener('click', () => choose(item));
    return button;
  });
  return element('fieldset', 'choice', element('legend', '', title), ...buttons);
}

/** A message above the studio. Names of pieces come with italics in some of them. */
export function message(root, text) {
  const line = element('p', 'refused');
  if (root.dataset.messages === 'markup') line.innerHTML = text;
  else line.textContent = text;
  return line;
}
