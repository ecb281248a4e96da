import type { LitElement } from 'lit';

/** An element that shows a list of clips, with its settings as properties. */
export interface ListHost extends LitElement {
  readonly folder: string | null;
  readonly project: string | null;
  readonly task: string | null;
  readonly pageSize: number;
}
