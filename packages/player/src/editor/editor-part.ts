import { LitElement } from 'lit';
import type { ClipPlayer } from './clip-player.ts';
import type { EditSession } from './edit-session.ts';
import type { EditorApi } from './editor-api.ts';
import type { EditorModel } from './editor-model.ts';
import { TextsController } from './texts.ts';

/** The objects that every part of the editor uses. */
export interface EditorContext {
  api: EditorApi;
  clipId: string;
  session: EditSession;
  player: ClipPlayer;
}

/** A part of the editor: drawn again when the clip, or what is saved of it, changes. */
export abstract class EditorPart extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: EditorContext;

  #unsubscribes: (() => void)[] = [];

  constructor() {
    super();
    new TextsController(this);
  }

  get model(): EditorModel {
    return this.context.session.model;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { session, player } = this.context;
    this.#unsubscribes = [
      session.model.subscribe(() => this.requestUpdate()),
      session.subscribe(() => this.requestUpdate()),
      player.subscribe(() => this.positionChanged()),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#unsubscribes) end();
  }

  /** The picture has moved on: up to sixty times a second. */
  protected positionChanged(): void {}
}
