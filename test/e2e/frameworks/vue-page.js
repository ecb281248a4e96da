import { h } from 'vue';

/**
 * The page, as Vue draws it on the server and in the browser. `heard` is called with the name of
 * each event.
 */
export const Page = {
  props: ['endpoint', 'frames', 'heard'],
  render() {
    const { endpoint, frames, heard } = this;
    return h('clip-config', { endpoint, 'app-url': frames, 'player-url': frames }, [
      h('clip-preview', { project: 'p 1', loading: 'eager', label: 'Harbour' }),
      h('clip-embed', { project: 'p 1', loading: 'eager' }),
      h(
        'clip-export-button',
        {
          project: 'p 1',
          folder: 'f 1',
          '.watermark': { src_url: 'https://example.com/a.png', pos_x: 0 },
          'auto-download': false,
          'download-name': 'mine.mp4',
          'onClip-export-ready': () => heard('clip-export-ready'),
        },
        'Save',
      ),
    ]);
  },
};
