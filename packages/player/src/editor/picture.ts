import { drawnParts, type Dimensions, type DrawnPart, type Edit } from 'clip-engine/drawing';
import { blurred } from './blurred.ts';

/** A frame of the source, and its size in its own pixels. */
export interface Frame extends Dimensions {
  image: CanvasImageSource;
}

let small: CanvasRenderingContext2D | null = null;

/** The part small, blurred and darker. */
function groundOf(
  { image, width, height }: Frame,
  source: Dimensions,
  { from, ground }: DrawnPart & Required<Pick<DrawnPart, 'ground'>>,
): HTMLCanvasElement {
  small ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const { canvas } = small;
  if (canvas.width !== ground.small.width) canvas.width = ground.small.width;
  if (canvas.height !== ground.small.height) canvas.height = ground.small.height;
  const [across, down] = [width / source.width, height / source.height];
  small.imageSmoothingQuality = 'high';
  small.drawImage(
    image,
    ...([from.x * across, from.y * down, from.width * across, from.height * down] as const),
    ...([0, 0, canvas.width, canvas.height] as const),
  );
  const picture = small.getImageData(0, 0, canvas.width, canvas.height);
  blurred(picture, ground.blur, ground.darker);
  small.putImageData(picture, 0, 0);
  return canvas;
}

/** Draws what an output frame shows of the source. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  frame: Frame,
  edit: Edit,
  outputFrame: number,
): void {
  const { canvas } = context;
  const { source } = edit;
  const [across, down] = [frame.width / source.width, frame.height / source.height];
  context.imageSmoothingQuality = 'high';
  for (const part of drawnParts(edit, canvas, outputFrame)) {
    const { from, to, ground } = part;
    const place = [to.x, to.y, to.width, to.height] as const;
    if (ground) context.drawImage(groundOf(frame, source, { ...part, ground }), ...place);
    else {
      context.drawImage(
        frame.image,
        ...([from.x * across, from.y * down, from.width * across, from.height * down] as const),
        ...place,
      );
    }
  }
}
