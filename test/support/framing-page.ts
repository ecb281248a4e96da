import '../../src/define/clip-preview.ts';

/**
 * Runs in a page with a policy that allows only frames of its own origin; reports how a preview of
 * another origin ends.
 */
const playerUrl = new URLSearchParams(location.search).get('frames')!;
const preview = Object.assign(document.createElement('clip-preview'), {
  project: 'a',
  playerUrl,
  loading: 'eager',
});
preview.addEventListener('clip-preview-error', ({ error }) => {
  parent.postMessage({ code: error.code }, '*');
});
document.body.append(preview);
