import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkMetadata, type SharedLink } from '../src/link-metadata.ts';
import { makeOEmbed, formatOEmbedXml } from '../src/oembed.ts';

const url = 'https://clips.example/player/a1';
const link: SharedLink = {
  url,
  title: 'Two & two',
  siteName: 'clips.example',
  width: 1080,
  height: 1920,
  poster: { url: `${url}/poster.jpg`, width: 540, height: 960 },
  video: null,
  oembed: { json: 'https://clips.example/oembed?a&b', xml: 'https://clips.example/oembed?c' },
  indexed: true,
};

describe('what a shared link shows', () => {
  it('is a player in cards if the page is https', () => {
    const text = String(linkMetadata(link));
    assert.match(text, /<meta name="twitter:card" content="player" \/>/);
    assert.match(
      text,
      /<meta name="twitter:player" content="https:\/\/clips.example\/player\/a1" \/>/,
    );
    assert.match(text, /<meta property="og:image:secure_url"/);
    assert.match(text, /<meta name="robots" content="index" \/>/);
    assert.match(text, /content="Two &amp; two"/);
    assert.match(text, /href="https:\/\/clips.example\/oembed\?a&amp;b"/);
  });

  it('has no picture before there is one', () => {
    const text = String(linkMetadata({ ...link, poster: null }));
    assert.doesNotMatch(text, /image/);
  });

  it('is embedded in the size that is asked for, with the shape of the clip', () => {
    const size = (box: { width?: number; height?: number }) => {
      const { width, height, thumbnail_width } = makeOEmbed(link, box);
      return [width, height, thumbnail_width];
    };
    assert.deepEqual(size({}), [360, 640, 540]);
    assert.deepEqual(size({ width: 200 }), [200, 355, undefined], 'the picture is too wide');
    assert.deepEqual(size({ width: 1000, height: 1000 }), [562, 1000, 540]);
    assert.deepEqual(size({ width: 1, height: 1 }), [1, 1, undefined]);
  });

  it('is XML whatever the title contains', () => {
    const xml = formatOEmbedXml(
      makeOEmbed({ ...link, title: 'a\u0000\u0008b\ud800 ]]> </title>' }, {}),
    );
    assert.match(xml, /<title>ab ]]&gt; &lt;\/title&gt;<\/title>/);
  });
});
