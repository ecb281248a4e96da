// The tags themselves, without the wrappers.
import type {} from 'clip-kit/types/react';

export const tags = (
  <clip-config endpoint="/clips" app-url="https://clips.example">
    <clip-preview project="clip-1" playerUrl="https://clips.example" onplay={() => {}} />
    <clip-export-button
      project="clip-1"
      watermark={{ src_url: 'https://site.example/mark.png', pos_x: 0.9 }}
      onclip-export-start={(event) => event.preventDefault()}
    />
    <clip-list folder="folder-1" pageSize={6} />
  </clip-config>
);
