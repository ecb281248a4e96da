/** A `<main>` that is in the page while a test of the suite runs, and empty when it begins. */
export function mainOfSuite(): HTMLElement {
  const main = document.createElement('main');
  beforeEach(() => {
    // Otherwise axe takes the page for white.
    main.style.background = 'Canvas';
    document.documentElement.lang = 'en';
    document.body.append(main);
  });
  afterEach(() => {
    main.remove();
    main.replaceChildren();
    for (const { name } of [...main.attributes]) main.removeAttribute(name);
    localStorage.clear();
    sessionStorage.clear();
    document.documentElement.style.colorScheme = '';
  });
  return main;
}
