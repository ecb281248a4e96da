import { ClipConfig, ClipEmbed } from 'clip-kit/react';
import Link from 'next/link';
import { Export } from './export';

export default function Clip() {
  return (
    <ClipConfig endpoint="/clips" appUrl="https://clips.example">
      <h1>The clip of today</h1>
      <ClipEmbed project="clip-1" />
      <Export />
      <Link id="to-home" href="/">
        Home
      </Link>
    </ClipConfig>
  );
}
