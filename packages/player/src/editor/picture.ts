import { type Dimensions, type DrawnPart, listDrawnParts, type Edit } from 'clip-engine/drawing';

/** A frame of the source, and its size in its own pixels. */
export interface Frame extends Dimensions {
  image: CanvasImageSource;
}

let small: CanvasRenderingContext2D | null = null;

/** The part small, blurred and darker. */
function drawGround(
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
  blurAndDarken(picture, ground.blur, ground.darker);
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
  for (const part of listDrawnParts(edit, canvas, outputFrame)) {
    const { from, to, ground, fill } = part;
    const place = [to.x, to.y, to.width, to.height] as const;
    if (fill) {
      context.fillStyle = fill;
      context.fillRect(...place);
    } else if (ground) context.drawImage(drawGround(frame, source, { ...part, ground }), ...place);
    else {
      context.drawImage(
        frame.image,
        ...([from.x * across, from.y * down, from.width * across, from.height * down] as const),
        ...place,
      );
    }
  }
}

/** The factor from a difference in luma to one in red, green and blue: luma has a smaller range. */
const lumaRange = 255 / 219;

/** The weights of BT.709. */
const [redShare, blueShare] = [0.2126, 0.0722];
const greenShare = 1 - redShare - blueShare;

/**
 * One plane, blurred in place as ffmpeg's `gblur` does it in one step: each line runs once in each
 * direction.
 */
function blurPlane(plane: Float32Array, width: number, height: number, sigma: number): void {
  const lambda = (sigma * sigma) / 2;
  const kept = (1 + 2 * lambda - Math.sqrt(1 + 4 * lambda)) / (2 * lambda);
  const edge = 1 / (1 - kept);
  const run = (start: number, step: number, count: number): void => {
    const last = start + step * (count - 1);
    plane[start]! *= edge;
    for (let at = start + step; at !== last + step; at += step)
      plane[at]! += kept * plane[at - step]!;
    plane[last]! *= edge;
    for (let at = last - step; at !== start - step; at -= step)
      plane[at]! += kept * plane[at + step]!;
  };
  for (let row = 0; row < height; row++) run(row * width, 1, width);
  for (let column = 0; column < width; column++) run(column, width, height);
  const scale = (kept / lambda) ** 2;
  for (let at = 0; at < plane.length; at++) plane[at]! *= scale;
}

/**
 * Blurs and darkens a picture in place, as the filter graph of a render does: colour has half the
 * resolution there. The sides of the picture are even.
 */
export function blurAndDarken(
  { data, width, height }: Pick<ImageData, 'data' | 'width' | 'height'>,
  sigma: number,
  darker: number,
): void {
  const luma = new Float32Array(width * height);
  const blue = new Float32Array(luma.length / 4);
  const red = new Float32Array(luma.length / 4);
  const half = (at: number): number =>
    (Math.floor(at / width) >> 1) * (width >> 1) + ((at % width) >> 1);
  for (let at = 0; at < luma.length; at++) {
    const [r, g, b] = [data[4 * at]!, data[4 * at + 1]!, data[4 * at + 2]!];
    const y = redShare * r + greenShare * g + blueShare * b;
    luma[at] = y;
    blue[half(at)]! += (b - y) / 4;
    red[half(at)]! += (r - y) / 4;
  }
  blurPlane(luma, width, height, sigma);
  for (const colour of [blue, red]) blurPlane(colour, width / 2, height / 2, sigma);
  for (let at = 0; at < luma.length; at++) {
    const y = luma[at]! - darker * 256 * lumaRange;
    const [r, b] = [red[half(at)]!, blue[half(at)]!];
    data[4 * at] = y + r;
    data[4 * at + 1] = y - (redShare * r + blueShare * b) / greenShare;
    data[4 * at + 2] = y + b;
  }
}
