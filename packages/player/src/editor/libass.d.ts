/** The part of libass in WebAssembly that is used, as JASSUB compiles it: it has no such types. */
declare module 'jassub/dist/wasm/jassub-worker.js' {
  /** One part of the text: a mask of its letters, in one colour. */
  interface LibassImage {
    w: number;
    h: number;
    dst_x: number;
    dst_y: number;
    stride: number;
    /** Red, green, blue and transparency, a byte each. */
    color: number;
    /** Where the mask begins in memory. */
    bitmap: number;
  }

  interface LibassRenderer {
    setThreads(count: number): void;
    addFont(name: string, address: number, bytes: number): void;
    reloadFonts(): void;
    createTrackMem(document: string): void;
    removeTrack(): void;
    resizeCanvas(width: number, height: number, videoWidth: number, videoHeight: number): void;
    /** Null if nothing has changed since the last picture. */
    rawRender(seconds: number, anyway: number): LibassImage[] | null;
  }

  interface Libass {
    _malloc(bytes: number): number;
    JASSUB: new (width: number, height: number, fallbackFont: string) => LibassRenderer;
  }

  export default function load(options: { __out: (line: string) => void }): Promise<Libass>;
}
