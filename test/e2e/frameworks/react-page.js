import { createElement as h, useEffect, useRef, useState } from 'react';

const watermark = { src_url: 'https://example.com/a.png', pos_x: 0 };

const frame = ({ endpoint, frames }, button) =>
  h(
    'clip-config',
    { endpoint, 'app-url': frames, 'player-url': frames },
    h('clip-preview', { project: 'p 1', loading: 'eager', label: 'Harbour' }),
    h('clip-embed', { project: 'p 1', loading: 'eager' }),
    h('clip-export-button', { project: 'p 1', folder: 'f 1', ...button }, 'Save'),
  );

/**
 * The page, as React draws it on the server and hydrates it in the browser. `heard` is called with
 * the name of each event. React sets no property and no listener at hydration
 * (facebook/react#35446): the watermark is JSON, and events are listened to in an effect.
 */
export function Page({ heard, ...props }) {
  const ref = useRef(null);
  useEffect(() => {
    const element = ref.current;
    const listen = () => heard('clip-export-ready');
    element.addEventListener('clip-export-ready', listen);
    return () => element.removeEventListener('clip-export-ready', listen);
  }, [heard]);
  return frame(props, {
    ref,
    watermark: JSON.stringify(watermark),
    'auto-download': false,
    'download-name': 'mine.mp4',
  });
}

/**
 * The page of a developer who does not know that: the watermark is an object, which React does not
 * write on the server, and sets only when it draws the page again.
 */
export function LatePage({ drawAgain, ...props }) {
  const [turn, setTurn] = useState(0);
  useEffect(() => drawAgain(() => setTurn((now) => now + 1)), [drawAgain]);
  return frame(props, { watermark: { ...watermark, scale: 1 + turn } });
}

/** The same, drawn only in the browser, with the elements defined before. */
export const NativePage = ({ heard, ...props }) =>
  frame(props, {
    watermark,
    autoDownload: false,
    downloadName: 'mine.mp4',
    'onclip-export-ready': () => heard('clip-export-ready'),
  });
