import { html } from 'hono/html';
import type { PageSettings } from './page-headers.ts';
import type { Texts } from './locales/all.ts';
import type { Html, PageTexts } from './markup.ts';
import { symbols } from './symbols.ts';

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

/** Makes the notices in place of the player. */
function makeNotices({ plain, text }: PageTexts): Html {
  const notice = (
    state: Extract<
      keyof Texts,
      'loading' | 'preparing' | 'failed' | 'refused' | 'missing' | 'expired' | 'offline'
    >,
    icon: Html,
    button: Html | '' = '',
  ) =>
    html`<section class="notice" data-for="${state}" hidden>
      <span class="badge">${icon}</span>
      <h1 ${text(state)}>${plain(state)}</h1>
      <p ${text(`${state}-text`)}>${plain(`${state}-text`)}</p>
      ${button}
    </section>`;
  return html`<div class="notices" role="status">
    ${notice('loading', spinner)}${notice('preparing', spinner)}${notice('failed', symbols.broken)}
    ${notice('refused', symbols.locked)}${notice('missing', symbols.nothing)}
    ${notice('expired', symbols.locked)}
    ${notice(
      'offline',
      symbols.broken,
      html`<button type="button" class="action" ${text('retry')}>${plain('retry')}</button>`,
    )}
  </div>`;
}

const makeIconButton = (
  action: string,
  keys: string,
  label: Html,
  icon: Html,
  more: Html | '' = '',
) =>
  html`<button type="button" data-action="${action}" aria-keyshortcuts="${keys}" ${label} ${more}>
    ${icon}
  </button>`;

/** Time runs from left to right in every language. */
const makeControls = ({ label }: PageTexts): Html =>
  html`<div class="controls" dir="ltr">
    <div class="timeline">
      <input type="range" class="seek" min="0" max="0" step="any" value="0" ${label('seek')} />
      <output class="seek-time" aria-hidden="true" hidden
        ><i class="seek-picture" hidden></i><span></span
      ></output>
    </div>
    <div class="bar">
      ${makeIconButton('toggle', 'k Space', label('play'), html`${symbols.play}${symbols.pause}`)}
      <div class="sound">
        ${makeIconButton('mute', 'm', label('mute'), symbols.sound)}
        <input
          type="range"
          class="volume"
          min="0"
          max="100"
          step="5"
          value="100"
          ${label('volume')}
        />
      </div>
      <span class="time" aria-hidden="true">0:00</span>
      ${makeIconButton(
        'captions',
        'c',
        label('captions'),
        symbols.captions,
        html`aria-pressed="false" hidden`,
      )}
      ${makeIconButton('more', '', label('more'), symbols.more, html`aria-haspopup="dialog"`)}
      ${makeIconButton('fullscreen', 'f', label('fullscreen'), symbols.fullscreen, html`hidden`)}
    </div>
  </div>`;

const makeDialog = (
  name: string,
  title: keyof Texts,
  { plain, text, label }: PageTexts,
  content: Html,
): Html =>
  html`<dialog class="sheet" id="${name}" closedby="any" aria-labelledby="${name}-title">
    <header>
      <h2 id="${name}-title" ${text(title)}>${plain(title)}</h2>
      <button type="button" class="icon" data-action="close" ${label('close')}>
        ${symbols.close}
      </button>
    </header>
    ${content}
  </dialog>`;

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

function makeMoreDialog(texts: PageTexts, hasDownload: boolean): Html {
  const { plain, text } = texts;
  const row = (action: string, icon: Html, key: keyof Texts, more: Html | '' = '') =>
    html`<button type="button" class="row" data-action="${action}" ${more}>
      ${icon}<span ${text(key)}>${plain(key)}</span>
    </button>`;
  const download = html`<a class="row download" download hidden>
    ${symbols.download}<span ${text('download')}>${plain('download')}</span>
  </a>`;
  const files = html`<details class="files" hidden>
    <summary class="row">${symbols.files}<span ${text('files')}>${plain('files')}</span></summary>
    <div dir="ltr"></div>
  </details>`;
  return makeDialog(
    'more',
    'more',
    texts,
    html`<label class="row">
        <span ${text('speed')}>${plain('speed')}</span>
        <select class="speed" dir="ltr">
          ${speeds.map(
            (one) =>
              html`<option value="${one}" ${one === 1 ? html`selected` : ''}>${one}×</option>`,
          )}
        </select>
      </label>
      ${row('pip', symbols.pip, 'pip', html`hidden`)} ${row('share', symbols.share, 'copy-link')}
      <label class="link" hidden>
        <span ${text('link')}>${plain('link')}</span>
        <input readonly dir="ltr" />
      </label>
      ${hasDownload ? html`${download} ${files}` : ''} ${row('help', symbols.keyboard, 'shortcuts')}`,
  );
}

/** The actions of the shortcuts, and their keys. */
const shortcuts: readonly (readonly [keyof Texts, readonly string[]])[] = [
  ['do-toggle', ['space', 'K']],
  ['do-seek-5', ['←', '→']],
  ['do-seek-10', ['J', 'L']],
  ['do-jump', ['0', '–', '9']],
  ['do-volume', ['↑', '↓']],
  ['do-mute', ['M']],
  ['do-captions', ['C']],
  ['do-fullscreen', ['F']],
  ['do-speed', ['<', '>']],
  ['do-help', ['?']],
];

function makeHelpDialog(texts: PageTexts): Html {
  const { plain, text } = texts;
  const key = (name: string) => {
    if (name === '–') return html`<span>–</span>`;
    return name === 'space'
      ? html`<kbd ${text('space')}>${plain('space')}</kbd>`
      : html`<kbd>${name}</kbd>`;
  };
  return makeDialog(
    'help',
    'shortcuts',
    texts,
    html`<dl>
      ${shortcuts.map(
        ([what, keys]) =>
          html`<div>
            <dt ${text(what)}>${plain(what)}</dt>
            <dd dir="ltr">${keys.map(key)}</dd>
          </div>`,
      )}
    </dl>`,
  );
}

const editButton = ({ plain, text }: PageTexts): Html =>
  html`<button type="button" class="edit" ${text('edit')} hidden>${plain('edit')}</button>`;

/** The clip with its controls, or a notice in its place; `poster`: what is seen until it plays. */
export const makeStage = (
  texts: PageTexts,
  { logoUrl }: PageSettings,
  hasDownload: boolean,
  poster: string | null = null,
): Html =>
  html`<div class="stage">
      <img class="poster" alt="" ${poster === null ? html`hidden` : html`src="${poster}"`} />
      <section class="player" ${texts.name('player')} hidden>
        <video playsinline preload="metadata"></video>
        <header class="heading">
          ${logoUrl === undefined ? '' : html`<img class="logo" src="${logoUrl}" alt="" />`}
          <h1 class="title" dir="auto"></h1>
          <button type="button" class="unmute" hidden>
            ${symbols.muted}<span ${texts.text('unmute')}>${texts.plain('unmute')}</span>
          </button>
        </header>
        <span class="spinner waiting" aria-hidden="true" hidden></span>
        <button type="button" class="big" data-action="toggle" ${texts.label('play')}>
          ${symbols.play}
        </button>
        <div class="cues" dir="auto" aria-hidden="true"></div>
        ${makeControls(texts)}
        <p class="toast" role="status"></p>
      </section>
      ${hasDownload ? editButton(texts) : ''} ${makeNotices(texts)}
    </div>
    <section
      class="visually-hidden transcript"
      dir="auto"
      ${texts.name('transcript')}
      hidden
    ></section>
    ${makeMoreDialog(texts, hasDownload)} ${makeHelpDialog(texts)}`;
