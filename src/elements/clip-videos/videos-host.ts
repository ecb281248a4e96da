import type { LitElement } from 'lit';

/** An element that shows the user's videos, with its settings as properties. */
export interface VideosHost extends LitElement {
  readonly for: string | null;
  readonly pageSize: number;
}
