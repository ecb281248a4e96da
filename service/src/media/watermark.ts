export interface FetchWatermarkOptions {
  directory: string;
  allowPrivate: boolean;
  signal: AbortSignal;
}

export function fetchWatermark(_url: string, _options: FetchWatermarkOptions): Promise<string> {
  throw new Error('being built');
}
