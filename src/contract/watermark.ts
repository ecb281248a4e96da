import * as z from 'zod/mini';
import { httpUrlSchema } from './primitive.ts';

const share = () =>
  z._default(z.number().check(z.minimum(0, 'must be 0 to 1'), z.maximum(1, 'must be 0 to 1')), 0.5);

/** The watermark of an export request (section 2.6): an object, never a bare URL. */
export const watermarkSchema = z.strictObject(
  {
    /** URL of the image. */
    src_url: httpUrlSchema,
    /** Horizontal position, 0 (left) to 1 (right). */
    pos_x: share(),
    /** Vertical position, 0 (top) to 1 (bottom). */
    pos_y: share(),
    /** Size factor, greater than 0; 1 is the image's own size. */
    scale: z._default(
      z.number().check(z.gt(0, 'must be greater than 0'), z.maximum(100, 'must be at most 100')),
      1,
    ),
  },
  {
    error: (issue) =>
      issue.code === 'invalid_type'
        ? 'must be an object {src_url, pos_x?, pos_y?, scale?}'
        : undefined,
  },
);

export type Watermark = z.output<typeof watermarkSchema>;
export type WatermarkInput = z.input<typeof watermarkSchema>;
