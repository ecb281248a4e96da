import type { Style } from 'clip-engine/drawing';

const letters = (style: Style['captions'] | Style['title'], size: number): string =>
  `${style.weight === 'bold' ? 700 : 400} ${size}px "${style.font}", system-ui, sans-serif`;

/** Draws a few words in a style: about as its captions look. */
export function drawSample(
  canvas: HTMLCanvasElement,
  { captions }: Style,
  words: readonly string[],
): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  const ground = context.createLinearGradient(0, 0, width, height);
  ground.addColorStop(0, '#2d4a63');
  ground.addColorStop(0.6, '#8a5a44');
  ground.addColorStop(1, '#3a6b57');
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const shown = (words.length > 0 ? words : ['Aa', 'Bb']).map((word) =>
    captions.capitals ? word.toLocaleUpperCase() : word,
  );
  const lines = shown.slice(0, Math.max(2, Math.min(3, captions.words)));
  let size = Math.min(width * captions.size * 1.9, height / (lines.length * 1.5));
  context.font = letters(captions, size);
  const widest = Math.max(...lines.map((line) => context.measureText(line).width));
  size *= Math.min(1, (width * 0.84) / widest);
  context.font = letters(captions, size);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const step = size * (captions.box ? 1.35 + captions.box.padding : 1.25);
  const middles = { upper: 0.28, middle: 0.5, lower: 0.7 };
  const top = height * middles[captions.position] - ((lines.length - 1) * step) / 2;
  lines.forEach((line, index) => {
    const [x, y] = [width / 2, top + index * step];
    const length = context.measureText(line).width;
    const isSpoken = index === lines.length - 1;
    const { mark, colour } = captions.spoken;
    if (captions.box) {
      const pad = captions.box.padding * size;
      context.globalAlpha = captions.box.opacity;
      context.fillStyle = captions.box.colour;
      context.fillRect(
        x - length / 2 - pad,
        y - size * 0.6 - pad / 2,
        length + 2 * pad,
        size * 1.2 + pad,
      );
      context.globalAlpha = 1;
    }
    context.shadowColor = 'rgb(0 0 0 / 0.6)';
    context.shadowBlur = captions.shadow * size * 3;
    if (!captions.box && captions.outline.width > 0) {
      context.strokeStyle = isSpoken && mark === 'outline' ? colour : captions.outline.colour;
      context.lineWidth = 2 * captions.outline.width * size;
      context.strokeText(line, x, y);
    }
    context.fillStyle = isSpoken && mark === 'colour' ? colour : captions.colour;
    context.fillText(line, x, y);
    context.shadowBlur = 0;
    if (isSpoken && mark === 'underline') {
      context.fillStyle = colour;
      context.fillRect(x - length / 2, y + size * 0.55, length, Math.max(2, size * 0.08));
    }
  });
}
