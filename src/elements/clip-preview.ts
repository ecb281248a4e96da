import { LitElement } from 'lit';

/** First form. */
export class ClipPreview extends LitElement {}
