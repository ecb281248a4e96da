import { LitElement } from 'lit';

/** First form. */
export class ClipConfig extends LitElement {}
