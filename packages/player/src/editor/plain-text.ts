import {
  captionLayout,
  captionText,
  defaultStyle,
  breakTitle,
  type Edit,
} from 'clip-engine/drawing';

interface Look {
  font: string;
  weight: 'regular' | 'bold';
  colour: string;
  outline: { colour: string; width: number };
  box: { colour: string; opacity?: number; padding: number } | null;
  capitals: boolean;
}

/** Height of a line / height of its letters. */
const lineHeight = 1.35;

/** One line, its middle at `y`. */
function drawLine(
  context: CanvasRenderingContext2D,
  text: string,
  { size, y, look }: { size: number; y: number; look: Look },
): void {
  const middle = context.canvas.width / 2;
  const shown = look.capitals ? text.toLocaleUpperCase() : text;
  context.font = `${look.weight === 'bold' ? 700 : 400} ${size}px "${look.font}", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  if (look.box) {
    const { width } = context.measureText(shown);
    const pad = look.box.padding * size;
    context.globalAlpha = look.box.opacity ?? 1;
    context.fillStyle = look.box.colour;
    context.fillRect(middle - width / 2 - pad, y - size / 2 - pad, width + 2 * pad, size + 2 * pad);
    context.globalAlpha = 1;
  } else if (look.outline.width > 0) {
    context.strokeStyle = look.outline.colour;
    context.lineWidth = 2 * look.outline.width * size;
    context.strokeText(shown, middle, y);
  }
  context.fillStyle = look.colour;
  context.fillText(shown, middle, y);
}

/** Captions and title as the browser itself draws text: only about as in the export. */
export function drawPlainText(
  context: CanvasRenderingContext2D,
  edit: Edit,
  seconds: number,
): void {
  const { style = defaultStyle, captions, title } = edit;
  const { height } = context.canvas;
  const layout = captionLayout(context.canvas, style);
  const line = captions.find(({ start, end }) => seconds >= start && seconds < end);
  if (line) {
    const { position = style.captions.position, rise } = line;
    const size = layout.captionSize;
    const half = (lineHeight * size) / 2;
    const middles = {
      lower: height - layout.lowerMargin - half,
      middle: height / 2,
      upper: layout.upperMargin + half,
    };
    const y = rise === undefined ? middles[position] : height * (1 - rise) - half;
    drawLine(context, captionText(line), { size, y, look: style.captions });
  }
  if (!title || seconds >= title.end) return;
  const size = layout.titleSize;
  const lines = breakTitle(title.text, edit.dimensions, style);
  const step = lineHeight * size;
  const top =
    title.position === 'lower'
      ? height - layout.lowTitleMargin - lines.length * step
      : layout.titleMargin;
  lines.forEach((text, index) =>
    drawLine(context, text, { size, y: top + (index + 0.5) * step, look: style.title }),
  );
}
