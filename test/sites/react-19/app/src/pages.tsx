import 'clip-kit';
import { useState } from 'react';
import { Link } from 'react-router';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

export function Home() {
  return (
    <>
      <clip-preview project="clip-1" loading="click" player-url="https://clips.example" />
      <Link id="to-clip" to="/clip">
        The clip
      </Link>
    </>
  );
}

export function Clip() {
  const [heard, setHeard] = useState('');
  const hear = (event: Event) => setHeard((before) => `${before} ${event.type}`);
  return (
    <clip-config endpoint="/clips" app-url="https://clips.example">
      <h1>The clip of today</h1>
      <clip-embed project="clip-1" />
      <clip-export-button
        project="clip-1"
        watermark={watermark}
        onclip-export-start={hear}
        onclip-export-ready={hear}
      />
      <output id="heard">{heard}</output>
      <Link id="to-home" to="/">
        Home
      </Link>
    </clip-config>
  );
}
