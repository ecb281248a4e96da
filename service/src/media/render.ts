import type { Plan } from './plan.ts';

/** An image on disk laid over the picture; `pos_*` 0 to 1 within the free space, `scale` of its own size. */
export interface WatermarkImage {
  path: string;
  pos_x: number;
  pos_y: number;
  scale: number;
}

export interface RenderOptions {
  source: string;
  output: string;
  quality: 'export' | 'preview';
  watermark?: WatermarkImage;
  signal: AbortSignal;
  onProgress?: (share: number) => void;
}

export interface Rendered {
  duration: number;
  bytes: number;
  cpuSeconds: number;
}

export function render(_plan: Plan, _options: RenderOptions): Promise<Rendered> {
  throw new Error('being built');
}

export function renderPoster(
  _plan: Plan,
  _options: { source: string; output: string; signal: AbortSignal },
): Promise<void> {
  throw new Error('being built');
}
