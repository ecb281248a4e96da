import type { LitElement } from 'lit';
import type { CreateKind } from '../../flow/create-request.ts';

/** A style of captions and titles that a person can choose. */
export interface StylePreset {
  readonly id: string;
  readonly name: string;
  /** Address of a picture. Without one it is drawn from `style`. */
  readonly picture_url?: string;
  /** As in the service's `GET /presets`. */
  readonly style?: unknown;
}

/** An element that makes tasks, with its settings as properties. */
export interface CreateHost extends LitElement {
  readonly kind: CreateKind;
  readonly count: number | null;
  readonly length: number | null;
  readonly language: string | null;
  readonly translateTo: string | null;
  readonly shape: string | null;
  readonly noCaptions: boolean;
  readonly noEmojis: boolean;
  readonly noTitle: boolean;
  readonly removeSilences: boolean;
  readonly presetId: string | null;
  readonly presets: readonly StylePreset[] | null;
  readonly presetsUrl: string | null;
  readonly maxBytes: number | null;
  readonly maxSeconds: number | null;
  readonly for: string | null;
}
