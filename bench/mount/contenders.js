const attributes = (at, more) => ({
  project: `clip-${at}`,
  endpoint: '/host',
  'app-url': '/frames',
  'player-url': '/frames',
  ...more,
});
const poster = (at) => ({ poster: '/poster.gif', label: `Clip ${at}` });
const preview = { script: '/dist/cdn/clip-kit.js', tag: 'clip-preview' };

/** What is mounted, by name. `shown` waits until an element in the page is shown. */
export const contenders = {
  floor: {
    script: '/bench/mount/facade.js',
    tag: 'vanilla-facade',
    attributes: (at) => attributes(at, poster(at)),
  },
  'clip-preview': {
    ...preview,
    attributes: (at) => attributes(at, { loading: 'click', ...poster(at) }),
  },
  'clip-preview, lazy': {
    ...preview,
    far: true,
    attributes: (at) => attributes(at, poster(at)),
  },
  'clip-export-button': {
    script: '/dist/cdn/clip-kit.js',
    tag: 'clip-export-button',
    attributes: (at) => attributes(at, {}),
  },
  'clip-preview, its frame loaded': {
    ...preview,
    attributes: (at) => attributes(at, { loading: 'eager' }),
    shown: (element) => event(element, 'clip-preview-ready'),
  },
  'clip-embed, its frame loaded': {
    script: '/dist/cdn/clip-kit.js',
    tag: 'clip-embed',
    attributes: (at) => attributes(at, { loading: 'eager', token: 'token' }),
    shown: (element) => event(element, 'clip-embed-ready'),
  },
};

const event = (target, name) =>
  new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));

/** An element of the kind; `at` makes it another clip than the rest. */
export function make({ tag, attributes: of }, at) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(of(at))) element.setAttribute(name, value);
  return element;
}
