import { LitElement } from 'lit';

/** First form. */
export class ClipEmbed extends LitElement {}
