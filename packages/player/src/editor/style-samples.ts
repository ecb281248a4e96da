import { writeAssDocument, type Edit, type Style } from 'clip-engine/drawing';
import type { LiveOptions } from './live.ts';

/** In the drawing's own pixels; only the shape is seen. */
const dimensions = { width: 400, height: 300 };

/** The magnification of the words against a clip: a sample is hardly wider than a thumb. */
const enlarged = 2.8;

/** About as many letters fill the width. */
const letterCount = 8;

/** When the second word is spoken, of which each takes a second. */
const seconds = 1.8;

/** Two words of the clip that follow each other, and are neither short nor long together. */
function sampleWords({ captions }: Edit): readonly string[] {
  const pairs = captions.flatMap(({ words }) =>
    words.slice(1).map((word, index) => [words[index]!.text, word.text]),
  );
  const off = (pair: readonly string[]) => Math.abs(pair.join('').length - letterCount);
  const [first = ['Aa', 'Bb'], ...others] = pairs;
  return others.reduce((best, pair) => (off(pair) < off(best) ? pair : best), first);
}

/** These words in a style, where that puts captions. */
function makeSample(edit: Edit, style: Style): Edit {
  const words = sampleWords(edit).map((text, start) => ({ text, start, end: start + 1 }));
  const { size } = style.captions;
  return {
    ...edit,
    dimensions,
    captions: [{ start: 0, end: words.length, words }],
    title: null,
    emojis: [],
    style: { ...style, captions: { ...style.captions, size: size * enlarged } },
  };
}

function drawGround(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const ground = context.createLinearGradient(0, 0, width, height);
  ground.addColorStop(0, '#2d4a63');
  ground.addColorStop(0.6, '#8a5a44');
  ground.addColorStop(1, '#3a6b57');
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
}

/**
 * Draws words of a clip in each style, as its captions look.
 * @param fonts of all styles; without them, the browser draws with those that it has
 */
export async function drawSamples(
  canvases: readonly HTMLCanvasElement[],
  edit: Edit,
  styles: readonly Style[],
  fonts: LiveOptions['fonts'] | null,
): Promise<void> {
  const [size] = canvases;
  if (!size) return;
  const { openText, drawPlainText } = await import('./live.ts');
  const text = fonts && (await openText(edit, size, fonts));
  // One after another: what draws letters has one document at a time.
  for (const [index, style] of styles.entries()) {
    const context = canvases[index]!.getContext('2d')!;
    const sample = makeSample(edit, style);
    drawGround(context);
    if (text) {
      text.document = writeAssDocument(sample);
      const drawn = await text.draw(seconds);
      if (drawn) context.drawImage(drawn.picture, drawn.x, drawn.y);
    } else drawPlainText(context, sample, seconds);
  }
  text?.close();
}
