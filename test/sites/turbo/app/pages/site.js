// Turbo replaces the body and keeps the document: its listeners stay.
for (const name of ['clip-export-start', 'clip-export-ready']) {
  document.addEventListener(name, () => {
    document.querySelector('#heard').textContent += ` ${name}`;
  });
}

document.addEventListener('turbo:load', () => {
  const button = document.querySelector('clip-export-button');
  if (button) button.watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
});
