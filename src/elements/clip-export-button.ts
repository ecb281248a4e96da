import { LitElement } from 'lit';

/** First form. */
export class ClipExportButton extends LitElement {}
