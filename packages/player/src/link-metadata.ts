import { html } from 'hono/html';

/** The data that a shared link of a player page shows. Addresses are absolute. */
export interface SharedLink {
  /** The player page. */
  url: string;
  title: string;
  siteName: string;
  /** Size of the player in pixels. */
  width: number;
  height: number;
  poster: { url: string; width: number; height: number } | null;
  /** An MP4 file; null until there is one. */
  video: { url: string; width: number; height: number } | null;
  /** Addresses of the oEmbed answers. */
  oembed: { json: string; xml: string };
  /** Whether search engines may list the page. */
  indexed: boolean;
}

type Html = ReturnType<typeof html>;

const makeProperty = (name: string, content: string | number): Html =>
  html`<meta property="${name}" content="${content}" />`;
const makeMeta = (name: string, content: string | number): Html =>
  html`<meta name="${name}" content="${content}" />`;

/** The rule for search engines: every page has it. */
export const makeRobotsRule = (indexed: boolean): Html =>
  makeMeta('robots', indexed ? 'index' : 'noindex');

const listSizedProperties = (
  name: string,
  { url, width, height }: { url: string; width: number; height: number },
) => [
  makeProperty(name, url),
  ...(url.startsWith('https:') ? [makeProperty(`${name}:secure_url`, url)] : []),
  makeProperty(`${name}:width`, width),
  makeProperty(`${name}:height`, height),
];

/** Players of cards must be https: without it, the card is a picture. */
const makeCard = ({ url, title, width, height, poster }: SharedLink): Html[] => [
  ...(url.startsWith('https:')
    ? [
        makeMeta('twitter:card', 'player'),
        makeMeta('twitter:player', url),
        makeMeta('twitter:player:width', width),
        makeMeta('twitter:player:height', height),
      ]
    : [makeMeta('twitter:card', 'summary_large_image')]),
  makeMeta('twitter:title', title),
  ...(poster ? [makeMeta('twitter:image', poster.url)] : []),
];

/**
 * The part of a player page's head that other sites read: Open Graph, a Twitter card, the discovery
 * of oEmbed, and the rule for search engines.
 */
export function linkMetadata(link: SharedLink): Html {
  const { url, title, siteName, poster, video, oembed } = link;
  const tags = [
    makeRobotsRule(link.indexed),
    html`<link rel="canonical" href="${url}" />`,
    makeProperty('og:type', 'video.other'),
    makeProperty('og:site_name', siteName),
    makeProperty('og:title', title),
    makeProperty('og:url', url),
    ...(poster
      ? [
          ...listSizedProperties('og:image', poster),
          makeProperty('og:image:type', 'image/jpeg'),
          makeProperty('og:image:alt', title),
        ]
      : []),
    ...(video
      ? [...listSizedProperties('og:video', video), makeProperty('og:video:type', 'video/mp4')]
      : []),
    ...makeCard(link),
    html`<link
      rel="alternate"
      type="application/json+oembed"
      href="${oembed.json}"
      title="${title}"
    />`,
    html`<link rel="alternate" type="text/xml+oembed" href="${oembed.xml}" title="${title}" />`,
  ];
  return html`${tags}`;
}
