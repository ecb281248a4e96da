import type { Dimensions } from 'clip-engine/drawing';

/** The shapes that a clip can have. */
export const shapes = ['9:16', '4:5', '1:1', '16:9'] as const;
export type Shape = (typeof shapes)[number];

const roundToEven = (side: number): number => 2 * Math.round(side / 2);

/** A size of a shape whose shorter side is that of another size. */
export function makeSize(shape: Shape, { width, height }: Dimensions): Dimensions {
  const [across, down] = shape.split(':').map(Number) as [number, number];
  const unit = Math.min(width, height) / Math.min(across, down);
  return { width: roundToEven(across * unit), height: roundToEven(down * unit) };
}

/** The shape of a size; null if it is another. */
export const findShape = (size: Dimensions): Shape | null =>
  shapes.find((shape) => {
    const { width, height } = makeSize(shape, size);
    return Math.abs(width - size.width) <= 2 && Math.abs(height - size.height) <= 2;
  }) ?? null;

/** The size of the live drawing: as sharp as its proxy is. */
export function chooseDrawnSize({ width, height }: Dimensions, shorterSide: number): Dimensions {
  const scale = Math.min(1, shorterSide / Math.min(width, height));
  return { width: roundToEven(width * scale), height: roundToEven(height * scale) };
}
