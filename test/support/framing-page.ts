import '../../src/define/clip-preview.ts';

/** Runs in a page whose policy allows frames of its own origin alone: tells how a preview of another one ends. */
const playerUrl = new URLSearchParams(location.search).get('frames')!;
const preview = Object.assign(document.createElement('clip-preview'), {
  ...{ project: 'a', playerUrl, loading: 'eager' },
});
preview.addEventListener('clip-preview-error', ({ error }) => {
  parent.postMessage({ code: error.code }, '*');
});
document.body.append(preview);
