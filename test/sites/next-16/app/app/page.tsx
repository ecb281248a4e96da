import { ClipPreview } from 'clip-kit/react';
import Link from 'next/link';

// A server component.
export default function Home() {
  return (
    <>
      <ClipPreview project="clip-1" loading="click" playerUrl="https://clips.example" />
      <Link id="to-clip" href="/clip">
        The clip
      </Link>
    </>
  );
}
