/** How the page around wants the clip to be played: parameters of the page's address. */
export interface PlayOptions {
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly loop: boolean;
  readonly playsInline: boolean;
}

/** Reads the parameters `autoplay`, `muted`, `loop` and `playsinline`: on if they are `1`. */
export function readPlayOptions(search: string): PlayOptions {
  const given = new URLSearchParams(search);
  return {
    autoplay: given.get('autoplay') === '1',
    muted: given.get('muted') === '1',
    loop: given.get('loop') === '1',
    playsInline: given.get('playsinline') === '1',
  };
}
