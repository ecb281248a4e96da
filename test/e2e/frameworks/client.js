const clients = {
  react: () => import('./react-client.js'),
  vue: () => import('./vue-client.js'),
};

const { framework, drawn, define, ...props } = Object.fromEntries(
  new URLSearchParams(location.search),
);
const heard = [];
const root = document.getElementById('root');
const { draw, hydrate } = await clients[framework]();
const page = {
  ...props,
  heard: (name) => heard.push(name),
  drawAgain: (again) => Object.assign(window, { drawAgain: again }),
};

if (define === 'first') await import('clip-kit');
await (drawn === 'server' ? hydrate(root, page) : draw(root, page, define === 'first'));
if (define === 'last') await import('clip-kit');
Object.assign(window, { heard, hydrated: true });
