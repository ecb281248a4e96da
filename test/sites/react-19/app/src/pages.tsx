import { ClipConfig, ClipEmbed, ClipExportButton, ClipPreview } from 'clip-kit/react';
import { StrictMode, useState } from 'react';
import { Link, Route, Routes } from 'react-router';
import { Props } from './props.tsx';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

function Home() {
  return (
    <>
      <ClipPreview project="clip-1" loading="click" playerUrl="https://clips.example" />
      <Link id="to-clip" to="/clip">
        The clip
      </Link>
    </>
  );
}

function Clip() {
  const [heard, setHeard] = useState('');
  const hear = ({ type }: Event) => setHeard((before) => `${before} ${type}`);
  return (
    <ClipConfig endpoint="/clips" appUrl="https://clips.example">
      <h1>The clip of today</h1>
      <ClipEmbed project="clip-1" />
      <ClipExportButton project="clip-1" watermark={watermark} onStart={hear} onReady={hear} />
      <output id="heard">{heard}</output>
      <Link id="to-home" to="/">
        Home
      </Link>
    </ClipConfig>
  );
}

export const Site = () => (
  <StrictMode>
    <Routes>
      <Route index element={<Home />} />
      <Route path="clip" element={<Clip />} />
      <Route path="props" element={<Props />} />
    </Routes>
  </StrictMode>
);
