import type { ClipExportButton } from 'clip-kit/elements';

const name = 'watermarked';

function readStored(): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(name) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

/**
 * Which clips are exported with the watermark. Stored, so that a reload shows the same export
 * again.
 */
export class Watermarks {
  readonly #url: string;
  readonly #ids = readStored();
  readonly #buttons = new Map<string, ClipExportButton>();

  constructor(url: string) {
    this.#url = url;
  }

  has(clipId: string): boolean {
    return this.#ids.has(clipId);
  }

  set(clipId: string, on: boolean): void {
    if (on) this.#ids.add(clipId);
    else this.#ids.delete(clipId);
    try {
      localStorage.setItem(name, JSON.stringify([...this.#ids]));
    } catch {
      // Storage is blocked: keep it only for this page.
    }
    this.#apply(clipId);
  }

  /** A clip is about to be shown with this button. */
  add(clipId: string, button: ClipExportButton): void {
    this.#buttons.set(clipId, button);
    button.watermarkX = 0.94;
    button.watermarkY = 0.05;
    this.#apply(clipId);
  }

  #apply(clipId: string): void {
    const button = this.#buttons.get(clipId);
    if (button) button.watermarkSrc = this.has(clipId) ? this.#url : null;
  }
}
