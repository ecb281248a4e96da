/** How many elements are mounted at once. */
const many = 1000;

const contenders = {
  floor: {
    script: '/bench/mount/facade.js',
    tag: 'vanilla-facade',
    attributes: (at) => ({
      project: `clip-${at}`,
      'player-url': '/frames',
      poster: '/poster.gif',
      label: `Clip ${at}`,
    }),
  },
  'clip-preview': {
    script: '/dist/cdn/clip-kit.js',
    tag: 'clip-preview',
    attributes: (at) => ({
      project: `clip-${at}`,
      'player-url': '/frames',
      loading: 'click',
      poster: '/poster.gif',
      label: `Clip ${at}`,
    }),
  },
  'lite-youtube-embed': {
    script: '/node_modules/lite-youtube-embed/src/lite-yt-embed.js',
    style: '/node_modules/lite-youtube-embed/src/lite-yt-embed.css',
    tag: 'lite-youtube',
    attributes: (at) => ({ videoid: `clip-${at}`, playlabel: `Play: Clip ${at}` }),
  },
  '@justinribeiro/lite-youtube': {
    script: '/node_modules/@justinribeiro/lite-youtube/lite-youtube.js',
    tag: 'lite-youtube',
    attributes: (at) => ({ videoid: `clip-${at}`, videotitle: `Clip ${at}` }),
  },
};

const grid = document.querySelector('main');

/** Milliseconds from the first element made to all of them drawn and laid out. */
const mount = async ({ tag, attributes }) => {
  const began = performance.now();
  const elements = document.createDocumentFragment();
  for (let at = 0; at < many; at++) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes(at))) element.setAttribute(name, value);
    elements.append(element);
  }
  grid.append(elements);
  // Elements that draw after the task do so in these.
  for (let turn = 0; turn < 10; turn++) await null;
  void grid.offsetHeight;
  const took = performance.now() - began;
  grid.replaceChildren();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return took;
};

/** Called by the bench: the times of `repeats` mounts after two that warm up. */
globalThis.measure = async (name, repeats) => {
  const contender = contenders[name];
  if (contender.style) {
    const link = Object.assign(document.createElement('link'), {
      rel: 'stylesheet',
      href: contender.style,
    });
    const loaded = new Promise((resolve) => link.addEventListener('load', resolve));
    document.head.append(link);
    await loaded;
  }
  await import(contender.script);
  const times = [];
  for (let at = 0; at < repeats + 2; at++) times.push(await mount(contender));
  return times.slice(2);
};
