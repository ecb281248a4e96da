import { component$, useVisibleTask$ } from '@builder.io/qwik';
import { Link } from '@builder.io/qwik-city';

export default component$(() => {
  useVisibleTask$(
    async () => {
      await import('clip-kit');
    },
    { strategy: 'document-ready' },
  );
  return (
    <>
      <clip-preview project="clip-1" loading="click" player-url="https://clips.example" />
      <Link id="to-clip" href="/clip">
        The clip
      </Link>
    </>
  );
});
