import { html } from 'hono/html';
import { type ClipView, formatTime } from './clip-view.ts';
import { getTexts, type Html, makePage, type PageOptions } from './markup.ts';
import { fromPage, makePlayerPage } from './pages.ts';
import { symbols } from './symbols.ts';

/** A clip on the page of a shared folder. Addresses are relative to the service's root. */
interface SharedClip {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
  readonly href: string;
  readonly poster: string | null;
}

/**
 * The player of a shared clip. `back`: the page of all clips. `download`: the address of its file,
 * `none` before there is one, null where it may not be downloaded.
 */
export function makeSharedClipPage(
  view: ClipView,
  options: PageOptions,
  { back, download }: { back: string | null; download: string | null },
): Html {
  const { plain, text } = getTexts(options.language);
  const makeLink = (
    href: string,
    key: 'all-clips' | 'download',
    icon: Html,
    more: Html | '' = '',
  ) => html`<a href="${fromPage(href)}" ${more}>${icon}<span ${text(key)}>${plain(key)}</span></a>`;
  const bar = html`<nav class="share-bar">
    ${back && makeLink(back, 'all-clips', symbols.all)}
    ${
      download === 'none'
        ? html`<span ${text('no-file')}>${plain('no-file')}</span>`
        : download && makeLink(download, 'download', symbols.download, html`class="take" download`)
    }
  </nav>`;
  return makePlayerPage(view, options, back === null && download === null ? '' : bar);
}

/** The clips of a shared folder: their posters and names. */
export function makeSharedListPage(
  { name, clips }: { name: string; clips: readonly SharedClip[] },
  options: PageOptions,
): Html {
  const { plain } = getTexts(options.language);
  const { logoUrl } = options.settings;
  return makePage(options, {
    title: name,
    script: null,
    body: html`<body class="share-list">
      <main>
        ${logoUrl === undefined ? '' : html`<img class="logo" src="${logoUrl}" alt="" />`}
        <h1><bdi>${name}</bdi></h1>
        ${clips.length === 0 ? html`<p>${plain('no-clips')}</p>` : ''}
        <ul>
          ${clips.map(
            (clip) =>
              html`<li>
                <a href="${fromPage(clip.href)}">
                  <span class="picture" style="aspect-ratio: ${clip.width} / ${clip.height}">
                    ${
                      clip.poster === null
                        ? ''
                        : html`<img src="${fromPage(clip.poster)}" alt="" loading="lazy" />`
                    }
                    <span class="length" dir="ltr">${formatTime(clip.duration)}</span>
                  </span>
                  <span dir="auto">${clip.name}</span>
                </a>
              </li>`,
          )}
        </ul>
      </main>
    </body>`,
  });
}
