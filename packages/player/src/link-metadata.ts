import { html } from 'hono/html';

/** What the link of a player page shows where it is shared. Addresses are absolute. */
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

const property = (name: string, content: string | number): Html =>
  html`<meta property="${name}" content="${content}" />`;
const named = (name: string, content: string | number): Html =>
  html`<meta name="${name}" content="${content}" />`;

/** The rule for search engines: every page has it. */
export const robots = (indexed: boolean): Html => named('robots', indexed ? 'index' : 'noindex');

const sized = (
  name: string,
  { url, width, height }: { url: string; width: number; height: number },
) => [
  property(name, url),
  ...(url.startsWith('https:') ? [property(`${name}:secure_url`, url)] : []),
  property(`${name}:width`, width),
  property(`${name}:height`, height),
];

/** Players of cards must be https: without it, the card is a picture. */
const cardOf = ({ url, title, width, height, poster }: SharedLink): Html[] => [
  ...(url.startsWith('https:')
    ? [
        named('twitter:card', 'player'),
        named('twitter:player', url),
        named('twitter:player:width', width),
        named('twitter:player:height', height),
      ]
    : [named('twitter:card', 'summary_large_image')]),
  named('twitter:title', title),
  ...(poster ? [named('twitter:image', poster.url)] : []),
];

/**
 * The part of a player page's head that other sites read: Open Graph, a Twitter card, the discovery
 * of oEmbed, and the rule for search engines.
 */
export function linkMetadata(link: SharedLink): Html {
  const { url, title, siteName, poster, video, oembed } = link;
  const tags = [
    robots(link.indexed),
    html`<link rel="canonical" href="${url}" />`,
    property('og:type', 'video.other'),
    property('og:site_name', siteName),
    property('og:title', title),
    property('og:url', url),
    ...(poster
      ? [
          ...sized('og:image', poster),
          property('og:image:type', 'image/jpeg'),
          property('og:image:alt', title),
        ]
      : []),
    ...(video ? [...sized('og:video', video), property('og:video:type', 'video/mp4')] : []),
    ...cardOf(link),
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
