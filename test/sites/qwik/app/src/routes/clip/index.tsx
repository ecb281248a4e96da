import { component$, useSignal, useVisibleTask$ } from '@builder.io/qwik';
import { Link } from '@builder.io/qwik-city';
import type { ClipExportButton } from 'clip-kit';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

export default component$(() => {
  const button = useSignal<ClipExportButton>();
  const heard = useSignal('');
  useVisibleTask$(
    async ({ cleanup }) => {
      const element = button.value!;
      // Before the elements are defined: nothing can start without them.
      element.watermark = watermark;
      const hear = ({ type }: Event) => (heard.value += ` ${type}`);
      for (const name of ['clip-export-start', 'clip-export-ready']) {
        element.addEventListener(name, hear);
        cleanup(() => element.removeEventListener(name, hear));
      }
      await import('clip-kit');
    },
    { strategy: 'document-ready' },
  );
  return (
    <clip-config endpoint="/clips" app-url="https://clips.example">
      <clip-embed project="clip-1" />
      <clip-export-button project="clip-1" ref={button}>
        Export
      </clip-export-button>
      <output id="heard">{heard.value}</output>
      <Link id="to-home" href="/">
        Home
      </Link>
    </clip-config>
  );
});
