import type { Span } from 'clip-engine/drawing';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { formatTime } from '../clip-view.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { symbols } from './editor-symbols.ts';
import {
  showTime,
  handlePlace,
  handlePx,
  moveView,
  nextPoint,
  snapTime,
  type SnapPoint,
  snapPoints,
  makeViewAround,
  zoomView,
} from './clip-times.ts';
import { formatText } from './texts.ts';
import { drawTimeLine, type LoadedStrip } from './timeline-picture.ts';
import type { TimelineMedia } from './editor-api.ts';
import { withEdge } from './transcript.ts';
import styles from './timeline.css';

type Edge = 'start' | 'end';

/** The distance in pixels from which a word attracts a handle. */
const reachPx = 7;
/** Shorter clips are refused. */
const minSeconds = 0.3;

/** The segment as a filmstrip with its sound, and a handle at each edge of the clip. */
class Timeline extends EditorPart {
  static override properties = { ...EditorPart.properties, view: { state: true } };

  static override styles = [editorStyles, styles];

  declare view: Span;

  #edge: Edge | null = null;
  /** The distance from the edge at which its handle was grabbed, in pixels. */
  #grip = 0;
  #points: readonly SnapPoint[] = [];
  #isPanning: { x: number; view: Span } | null = null;
  #strip: LoadedStrip | null = null;
  /** The address of the filmstrip that is shown or loads. */
  #stripUrl = '';
  #width = 0;
  #frame = 0;
  #sizes: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.view = makeViewAround(this.model.made.clip, this.model.editable);
    this.#sizes = new ResizeObserver(() => this.#drawSoon());
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes?.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  protected override render(): TemplateResult {
    const { clip, edit } = this.model.made;
    const { editable } = this.model;
    const atLimit = clip.end >= editable.end - 0.1 || clip.start <= editable.start + 0.1;
    const isWhole = this.model.answer.margin === 'source';
    return html`<div
        class="track"
        role="group"
        aria-label=${formatText('timeline')}
        @pointerdown=${this.#press}
        @pointermove=${this.#move}
        @pointerup=${this.#release}
        @pointercancel=${this.#release}
        @wheel=${this.#wheel}
      >
        <canvas></canvas>
        <div class="cover" ?hidden=${!this.model.cover}></div>
        <div class="head"></div>
        ${this.model.hasTool('cut') ? [this.#drawHandle('start'), this.#drawHandle('end')] : nothing}
      </div>
      <div class="bar">
        <span dir="auto">${formatText('clip-length', edit.duration.toFixed(1))}</span>
        ${
          atLimit && this.model.hasTool('cut')
            ? html`<p class="hint">${formatText(isWhole ? 'limit-source' : 'limit-stored')}</p>`
            : nothing
        }
        ${this.#drawZoomButton('zoom-out', 1.6)}${this.#drawZoomButton('zoom-in', 1 / 1.6)}
      </div>`;
  }

  #drawHandle(edge: Edge): TemplateResult {
    const { clip } = this.model.made;
    const { editable } = this.model;
    const value = clip[edge];
    return html`<div
      class="handle"
      data-handle=${edge}
      .style=${`width:${handlePx}px`}
      role="slider"
      tabindex="0"
      aria-label=${formatText(edge === 'start' ? 'clip-start' : 'clip-end')}
      aria-valuemin=${editable.start.toFixed(2)}
      aria-valuemax=${editable.end.toFixed(2)}
      aria-valuenow=${value.toFixed(2)}
      aria-valuetext="${formatTime(value)} ${this.#getEdgeWord(edge)}"
      @keydown=${(event: KeyboardEvent) => this.#moveByKey(event, edge)}
    ></div>`;
  }

  /** The word beside an edge. */
  #getEdgeWord(edge: Edge): string {
    const { words, places } = this.model.made;
    const index = edge === 'start' ? places.indexOf('in') : places.lastIndexOf('in');
    return words[index]?.text ?? '';
  }

  #drawZoomButton(name: 'zoom-in' | 'zoom-out', by: number): TemplateResult {
    return html`<button
      type="button"
      class="icon ${name}"
      aria-label=${formatText(name)}
      title=${formatText(name)}
      @click=${() => (this.view = zoomView(this.view, by, this.model.editable))}
    >
      ${name === 'zoom-in' ? symbols.plus : symbols.minus}
    </button>`;
  }

  #listSnapPoints(edge: Edge): SnapPoint[] {
    const { words, sentences } = this.model.made;
    return snapPoints(words, sentences, edge, this.model.editable);
  }

  #moveByKey(event: KeyboardEvent, edge: Edge): void {
    const { key, shiftKey, altKey } = event;
    const { clip, edit } = this.model.made;
    const { editable } = this.model;
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
    const now = clip[edge];
    let next = now;
    if (direction === 1 || direction === -1) {
      next = altKey
        ? now + direction / edit.frameRate
        : nextPoint(this.#listSnapPoints(edge), now, direction, shiftKey);
    } else if (key === 'Home') next = editable.start;
    else if (key === 'End') next = editable.end;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.model.change(withEdge(this.model.changes, edge, this.#limitEdge(edge, next)));
    this.#showClip();
  }

  /** Both handles are in view after a change. */
  #showClip(): void {
    const { clip } = this.model.made;
    const isShown = clip.start >= this.view.start && clip.end <= this.view.end;
    if (!isShown) this.view = makeViewAround(clip, this.model.editable);
  }

  /** Within the segment, and before or after the other edge. */
  #limitEdge(edge: Edge, seconds: number): number {
    const { clip } = this.model.made;
    const { editable } = this.model;
    return edge === 'start'
      ? Math.max(editable.start, Math.min(seconds, clip.end - minSeconds))
      : Math.min(editable.end, Math.max(seconds, clip.start + minSeconds));
  }

  #computeSeconds({ clientX }: MouseEvent, grip = 0): number {
    const { left, width } = this.#track.getBoundingClientRect();
    return this.view.start + ((clientX - grip - left) / width) * (this.view.end - this.view.start);
  }

  get #track(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('.track')!;
  }

  #press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const edge = (event.target as HTMLElement).dataset['handle'];
    this.#track.setPointerCapture(event.pointerId);
    this.context.player.pause();
    if (edge === 'start' || edge === 'end') {
      this.#edge = edge;
      const { left } = this.#track.getBoundingClientRect();
      this.#grip = event.clientX - left - this.#computeX(this.model.made.clip[edge]);
      this.#points = this.#listSnapPoints(edge);
    } else this.#isPanning = { x: event.clientX, view: this.view };
  };

  #move = (event: PointerEvent): void => {
    if (this.#isPanning) {
      const { x, view } = this.#isPanning;
      const { width } = this.#track.getBoundingClientRect();
      const by = ((x - event.clientX) / width) * (view.end - view.start);
      if (Math.abs(x - event.clientX) > 3) this.view = moveView(view, by, this.model.editable);
    }
    const edge = this.#edge;
    if (!edge) return;
    const { width } = this.#track.getBoundingClientRect();
    const reach = (reachPx / width) * (this.view.end - this.view.start);
    const at = this.#computeSeconds(event, this.#grip);
    const wanted = event.altKey ? at : snapTime(this.#points, at, reach);
    this.model.previewChanges(withEdge(this.model.changes, edge, this.#limitEdge(edge, wanted)));
    this.view = showTime(this.view, at, this.model.editable);
  };

  #release = (event: PointerEvent): void => {
    const panning = this.#isPanning;
    const edge = this.#edge;
    this.#isPanning = null;
    this.#edge = null;
    if (edge && this.model.isPreviewing) {
      this.model.change(this.model.changes);
      this.#showClip();
      const { clip } = this.model.made;
      void this.context.player.seek(edge === 'start' ? clip.start : Math.max(0, clip.end - 1.5));
    } else if (panning && Math.abs(panning.x - event.clientX) <= 3) {
      void this.context.player.seek(this.#computeSeconds(event));
    }
  };

  #wheel = (event: WheelEvent): void => {
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (across === 0 && !event.ctrlKey) return;
    event.preventDefault();
    const { width } = this.#track.getBoundingClientRect();
    this.view = event.ctrlKey
      ? zoomView(this.view, Math.exp(event.deltaY / 200), this.model.editable)
      : moveView(
          this.view,
          (across / width) * (this.view.end - this.view.start),
          this.model.editable,
        );
  };

  protected override updated(_: PropertyValues): void {
    void this.#loadStrip();
    this.#drawSoon();
  }

  /** Keeps the filmstrip that is shown until its successor is there. */
  async #loadStrip(): Promise<void> {
    const media = this.context.player.timelineMedia;
    const strip = media?.strip;
    if (!strip || strip.url === this.#stripUrl) return;
    this.#stripUrl = strip.url;
    const image = new Image();
    image.crossOrigin = 'anonymous';
    image.src = this.context.api.resolveUrl(strip.url);
    await image.decode().catch(() => {});
    if (image.naturalWidth === 0 || strip.url !== this.#stripUrl) return;
    this.#strip = { ...strip, start: media.start, end: media.end, image };
    this.#drawSoon();
  }

  #drawSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    if (!canvas) return;
    const { width, height } = this.#track.getBoundingClientRect();
    this.#width = width;
    const scale = devicePixelRatio;
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    const { made } = this.model;
    drawTimeLine(canvas, {
      view: this.view,
      clip: made.clip,
      ranges: made.edit.ranges,
      removed: [...(this.model.changes.removed ?? []), ...this.model.made.fillers],
      editable: this.model.editable,
      source: made.edit.source,
      media: this.context.player.timelineMedia,
      strip: this.#strip,
    });
    for (const edge of ['start', 'end'] as const) {
      const handle = this.renderRoot.querySelector<HTMLElement>(`[data-handle=${edge}]`);
      const { left, edge: within } = handlePlace(edge, this.#computeX(made.clip[edge]), width);
      handle?.style.setProperty('translate', `${left}px`);
      handle?.style.setProperty('--edge', `${within}px`);
    }
    const cover = this.renderRoot.querySelector<HTMLElement>('.cover');
    if (cover && this.model.cover)
      cover.style.translate = `${this.#computeX(this.model.cover.time)}px`;
    this.positionChanged();
  }

  #computeX(seconds: number): number {
    return ((seconds - this.view.start) / (this.view.end - this.view.start)) * this.#width;
  }

  #media: TimelineMedia | null = null;

  protected override positionChanged(): void {
    const head = this.renderRoot.querySelector<HTMLElement>('.head');
    if (head) head.style.translate = `${this.#computeX(this.context.player.position)}px`;
    const { timelineMedia } = this.context.player;
    if (timelineMedia !== this.#media) this.requestUpdate();
    this.#media = timelineMedia;
  }
}

customElements.define('clip-timeline', Timeline);
