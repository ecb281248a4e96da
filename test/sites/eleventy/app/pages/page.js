const heard = document.querySelector('#heard');
const button = document.querySelector('clip-export-button');
button.watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
for (const name of ['clip-export-start', 'clip-export-ready']) {
  button.addEventListener(name, () => (heard.textContent += ` ${name}`));
}
