/** The ready-made single file. */
import '../upgrade/index.ts';

export * from '../index.ts';

/** Names the file of an element of the page that is not in this one. */
function checkElements(): void {
  const others = ['clip-create', 'clip-list', 'clip-export-many', 'clip-videos', 'clip-feed'];
  const missing = document.querySelector(others.map((name) => `${name}:not(:defined)`).join());
  if (missing)
    console.warn(`clip-kit: <${missing.localName}> is in clip-studio.js, not in clip-kit.js.`);
}

if (document.readyState === 'complete') setTimeout(checkElements);
else addEventListener('load', checkElements, { once: true });
