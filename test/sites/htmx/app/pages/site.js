for (const name of ['clip-export-start', 'clip-export-ready']) {
  document.addEventListener(name, () => {
    document.querySelector('#heard').textContent += ` ${name}`;
  });
}

function setWatermark() {
  const button = document.querySelector('clip-export-button');
  if (button) button.watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
}

setWatermark();
window.htmx?.onLoad(setWatermark);
