import { getWindowPart, type Edit, type ShownShot, type ShownWindow } from 'clip-engine/drawing';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { formatTime } from '../clip-view.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { symbols } from './editor-symbols.ts';
import { dragWindow, placeWindow, findShotAt, withShot, withWindow } from './framing-changes.ts';
import { formatText } from './texts.ts';
import styles from './picture-stage.css';

/** Returns the share of the picture above the lower window. */
function measureUpperShare(edit: Edit, mode: ShownShot['mode'] | undefined): number {
  if (mode !== 'stack' && mode !== 'screen') return 1;
  return 1 - getWindowPart(edit, mode, true).height / edit.dimensions.height;
}

/** The clip as its export will look. In the frame tool, its window can be dragged. */
class PictureStage extends EditorPart {
  static override properties = { ...EditorPart.properties, isFraming: { type: Boolean } };

  static override styles = [editorStyles, styles];

  declare isFraming: boolean;

  #drag: { x: number; y: number; window: ShownWindow; isBelow: boolean } | null = null;

  protected override render(): TemplateResult {
    const { player } = this.context;
    const { width, height } = this.model.made.edit.dimensions;
    const label = player.isPlaying ? formatText('pause') : formatText('play');
    return html`<div
        class="screen ${this.isFraming ? 'framing' : ''}"
        style="--shape: ${width / height}"
      >
        <canvas
          role="img"
          aria-label=${this.model.title || formatText('editor')}
          @pointerdown=${this.#press}
          @pointermove=${this.#move}
          @pointerup=${this.#release}
          @pointercancel=${this.#release}
        ></canvas>
        <video aria-hidden="true"></video><video aria-hidden="true"></video>
        ${this.#drawPoster()}${this.#drawNotice()}
      </div>
      <div class="bar" dir="ltr">
        <button
          type="button"
          class="icon play"
          aria-label=${label}
          title=${label}
          ?disabled=${!player.isReady}
          @click=${() => void player.togglePlaying()}
        >
          ${player.isPlaying ? symbols.pause : symbols.play}
        </button>
        <span class="time"></span>
      </div>
      ${player.isApproximate ? html`<p class="hint">${formatText('approximate')}</p>` : nothing}`;
  }

  /** The clip as it was when its poster was made, until it is drawn. */
  #drawPoster(): TemplateResult | typeof nothing {
    const { api, player, clipId } = this.context;
    if (player.isReady) return nothing;
    const hide = ({ target }: Event) => ((target as HTMLElement).hidden = true);
    return html`<img alt="" src=${api.resolveUrl(`player/${clipId}/poster.jpg`)} @error=${hide} />`;
  }

  #drawNotice(): TemplateResult | typeof nothing {
    const { proxy, isReady } = this.context.player;
    if (isReady) return nothing;
    if (proxy?.state === 'failed')
      return html`<p class="over" role="status">${formatText('proxy-failed')}</p>`;
    const share = Math.round(100 * (proxy?.progress ?? 0));
    return html`<div class="over" role="status">
      <span class="spinner"></span>
      ${proxy?.state === 'preparing' ? formatText('proxy-preparing', String(share)) : nothing}
    </div>`;
  }

  protected override firstUpdated(): void {
    const [one, two] = this.renderRoot.querySelectorAll('video');
    this.context.player.attach({
      canvas: this.renderRoot.querySelector('canvas')!,
      videos: [one!, two!],
    });
  }

  protected override updated(_: PropertyValues): void {
    this.#showTime();
  }

  #shown = '';

  protected override positionChanged(): void {
    this.#showTime();
    const { isPlaying, isReady, proxy } = this.context.player;
    const shown = `${isPlaying} ${isReady} ${proxy?.state} ${proxy?.progress}`;
    if (shown !== this.#shown) this.requestUpdate();
    this.#shown = shown;
  }

  #showTime(): void {
    const time = this.renderRoot.querySelector('.time');
    const { edit } = this.model.made;
    const text = `${formatTime(this.context.player.playedSeconds)} / ${formatTime(edit.duration)}`;
    if (time && time.textContent !== text) time.textContent = text;
  }

  #press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const { made } = this.model;
    const shot = findShotAt(made.shots, this.context.player.position);
    if (!this.isFraming) return void this.context.player.togglePlaying();
    const canvas = event.target as HTMLElement;
    const { top, height } = canvas.getBoundingClientRect();
    const isBelow = (event.clientY - top) / height > measureUpperShare(made.edit, shot?.mode);
    // A whole picture has no window, and of a screen only the speaker below it.
    if (!shot || shot.mode === 'fit' || (shot.mode === 'screen' && !isBelow)) return;
    this.context.player.pause();
    canvas.setPointerCapture(event.pointerId);
    const sizes = { source: made.edit.source, part: getWindowPart(made.edit, shot.mode, isBelow) };
    const shown = (shot.mode === 'stack' && isBelow && shot.below) || shot;
    const window = placeWindow(sizes, shown);
    this.#drag = { x: event.clientX, y: event.clientY, window, isBelow };
  };

  #move = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (!drag) return;
    const { made, changes } = this.model;
    const shot = findShotAt(made.shots, this.context.player.position);
    if (!shot) return;
    const { source, dimensions } = made.edit;
    const part = getWindowPart(made.edit, shot.mode, drag.isBelow);
    const { width } = (event.target as HTMLElement).getBoundingClientRect();
    const height = (part.height * width) / dimensions.width;
    const by = { x: (event.clientX - drag.x) / width, y: (event.clientY - drag.y) / height };
    const window = dragWindow({ source, part }, drag.window, by);
    this.model.previewChanges(withShot(changes, shot, withWindow(shot, window, drag.isBelow)));
  };

  #release = (): void => {
    if (!this.#drag) return;
    this.#drag = null;
    if (this.model.isPreviewing) this.model.change(this.model.changes);
  };
}

customElements.define('clip-picture', PictureStage);
