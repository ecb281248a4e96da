const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

export default function (config) {
  config.addPassthroughCopy({ 'node_modules/clip-kit/dist/cdn/clip-kit.js': 'clip-kit.js' });
  config.addPassthroughCopy({ 'pages/page.js': 'page.js' });
  // {% clip "ID", "Title" %}
  config.addShortcode(
    'clip',
    (id, title) =>
      `<clip-preview project="${escaped(id)}" loading="click" label="${escaped(title)}"></clip-preview>`,
  );
  return { dir: { input: 'pages', output: 'public' } };
}
