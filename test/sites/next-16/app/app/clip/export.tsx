'use client';
import { ClipExportButton } from 'clip-kit/react';
import { useState } from 'react';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

/** A client component, because it has a state and handlers. */
export function Export() {
  const [heard, setHeard] = useState('');
  const hear = ({ type }: Event) => setHeard((before) => `${before} ${type}`);
  return (
    <>
      <ClipExportButton project="clip-1" watermark={watermark} onStart={hear} onReady={hear} />
      <output id="heard">{heard}</output>
    </>
  );
}
