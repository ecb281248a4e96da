import { ClipExportReadyEvent } from 'clip-kit';
import { showClip } from './show-clip.js';

test('shows the clip with a play button and an export button', async () => {
  showClip(document.body, { id: 'clip-1', title: 'Harbour at dawn', onReady() {} });
  const preview = document.querySelector('clip-preview');
  const button = document.querySelector('clip-export-button');
  await preview.updateComplete;
  const play = preview.shadowRoot.querySelector('[part="play"]');
  expect(play.getAttribute('aria-label')).toBe('Play: Harbour at dawn');
  expect(button.shadowRoot.querySelector('[part="button"]').textContent.trim()).toBe('Export');
  expect(button.watermark.src_url).toBe('https://site.example/mark.png');
});

test('is notified that the file is ready', () => {
  const ready = [];
  showClip(document.body, { id: 'clip-1', title: '', onReady: (url) => ready.push(url) });
  const url = 'https://clips.example/file.mp4';
  document
    .querySelector('clip-export-button')
    .dispatchEvent(new ClipExportReadyEvent({ id: 'export-1' }, url));
  expect(ready).toEqual([url]);
});
