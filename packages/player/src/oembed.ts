import type { SharedLink } from './link-metadata.ts';

/** The box that a player is fitted into if the caller names none, in pixels. */
const usualBox = { width: 640, height: 640 };

/** An oEmbed answer (version 1.0, type `video`). */
export interface OEmbed {
  version: '1.0';
  type: 'video';
  title: string;
  provider_name: string;
  provider_url: string;
  width: number;
  height: number;
  html: string;
  cache_age: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
}

/** The time that a caller may keep the answer, in seconds. */
export const cacheSeconds = 300;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);

/** The largest size with the clip's shape in a box. */
function fitInBox(
  { width, height }: { width: number; height: number },
  box: { width?: number | undefined; height?: number | undefined },
) {
  const scale = Math.min(
    (box.width ?? usualBox.width) / width,
    (box.height ?? usualBox.height) / height,
  );
  const side = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: side(width), height: side(height) };
}

/** The answer for a player page, in a box of at most that size in pixels. */
export function makeOEmbed(
  link: SharedLink,
  box: { width?: number | undefined; height?: number | undefined },
): OEmbed {
  const { url, title, siteName, poster } = link;
  const { width, height } = fitInBox(link, box);
  // The specification wants the picture within the box, too.
  const within =
    poster && poster.width <= (box.width ?? Infinity) && poster.height <= (box.height ?? Infinity);
  return {
    version: '1.0',
    type: 'video',
    title,
    provider_name: siteName,
    provider_url: new URL('/', url).href,
    width,
    height,
    html:
      `<iframe src="${escapeXml(url)}?playsinline=1" width="${width}" height="${height}" title="${escapeXml(title)}" ` +
      'style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
    cache_age: cacheSeconds,
    ...(within && {
      thumbnail_url: poster.url,
      thumbnail_width: poster.width,
      thumbnail_height: poster.height,
    }),
  };
}

/** Characters that XML cannot contain, not even escaped. */
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** The answer as XML. */
export const formatOEmbedXml = (answer: OEmbed): string =>
  '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>' +
  Object.entries(answer)
    .map(([name, value]) => `<${name}>${escapeXml(String(value).replace(notInXml, ''))}</${name}>`)
    .join('') +
  '</oembed>\n';
