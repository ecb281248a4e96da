import 'clip-kit';

/** Shows a clip with its export button, and says when it is ready. */
export function showClip(box, { id, title, onReady }) {
  const preview = document.createElement('clip-preview');
  preview.project = id;
  preview.playerUrl = 'https://clips.example';
  preview.loading = 'click';
  preview.label = title;
  const button = document.createElement('clip-export-button');
  button.project = id;
  button.endpoint = '/clips';
  button.watermark = { src_url: 'https://site.example/mark.png' };
  button.addEventListener('clip-export-ready', (event) => onReady(event.downloadUrl));
  box.replaceChildren(preview, button);
}
