// The page around hears that there is no clip: a frame's `load` event comes for this page, too.
if (parent !== window) parent.postMessage({ type: 'clip-missing' }, '*');
