import { defaultStyle, emojiPlace, type Dimensions, type Edit } from 'clip-engine/drawing';

/** The picture of an emoji; null if there is none. */
export type LoadEmoji = (emoji: string) => Promise<ImageBitmap | null>;

/** The emoji of an edit, over its captions. */
export class EmojiPictures {
  readonly #load: LoadEmoji;
  readonly #pictures = new Map<string, ImageBitmap | null>();

  constructor(load: LoadEmoji) {
    this.#load = load;
  }

  /** Loads those that are not there yet. */
  async prepare({ emojis }: Edit): Promise<void> {
    const wanted = new Set(emojis.map(({ emoji }) => emoji));
    await Promise.all(
      [...wanted]
        .filter((emoji) => !this.#pictures.has(emoji))
        .map(async (emoji) => {
          // Without a connection it is tried again.
          const picture = await this.#load(emoji).catch(() => undefined);
          if (picture !== undefined) this.#pictures.set(emoji, picture);
        }),
    );
  }

  draw(context: CanvasRenderingContext2D, edit: Edit, seconds: number): void {
    const { emojis, style = defaultStyle } = edit;
    const output: Dimensions = context.canvas;
    for (const { emoji, start, end, position } of emojis) {
      const picture = this.#pictures.get(emoji);
      if (!picture || seconds < start || seconds > end) continue;
      const { x, y, width, height } = emojiPlace(picture, output, style, position);
      context.drawImage(picture, x, y, width, height);
    }
  }

  close(): void {
    for (const picture of this.#pictures.values()) picture?.close();
  }
}
