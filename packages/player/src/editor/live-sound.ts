import { duckDb, getMusicRise, musicFadeSeconds, targetLufs, type Edit } from 'clip-engine/drawing';

/** The same tone as in exports. */
const [bleepHertz, bleepVolume] = [1000, 1 / 8];

/** Loudness of a source that is not known, in LUFS: that of usual talks. */
const usualSourceDb = -20;

/** A jump of music is heard: it may be this far from its place, in seconds. */
const maxMusicDrift = 0.2;

/** Whether a word that is not heard is in a frame of the output, or in the next one. */
export function isMutedAt({ muted, frameRate }: Edit, frame: number): boolean {
  const [from, to] = [frame / frameRate, (frame + 2) / frameRate];
  return muted?.spans.some(({ start, end }) => start < to && end > from) ?? false;
}

/** Returns the volume of an edit's music at an output time, as a factor. */
function computeMusicVolume(edit: Edit, seconds: number): number {
  const { music, source, duration } = edit;
  if (!music) return 0;
  const { sourceDb = usualSourceDb, levelDb } = music;
  // The source plays at its own level here. Without sound, music is all that is heard.
  const below = source.hasAudio ? sourceDb - targetLufs - levelDb : -duckDb;
  const fade = Math.min(
    1,
    seconds / musicFadeSeconds.in,
    (duration - seconds) / musicFadeSeconds.out,
  );
  return Math.max(0, fade) * 10 ** ((below + getMusicRise(music, seconds)) / 20);
}

/** The bytes of music by its id. */
export type LoadMusic = (id: string) => Promise<Blob>;

/** The sound of an edit that is not in its source: bleeps over muted words, and music. */
export class LiveSound {
  readonly #loadMusic: LoadMusic;
  #context: AudioContext | null = null;
  #bleep: AudioParam | null = null;
  /** The music that is loaded, or is to be. */
  #musicId: string | null = null;
  /** Music that could not be loaded: it is asked for again with the next play. */
  #lostId: string | null = null;
  #music: { element: HTMLAudioElement; gain: AudioParam } | null = null;

  constructor(loadMusic: LoadMusic) {
    this.#loadMusic = loadMusic;
  }

  /** Browsers allow sound only after a person has pressed a key or a button. */
  begin({ muted, music }: Edit): void {
    if (!music && muted?.sound !== 'bleep') return;
    this.#context ??= new AudioContext();
    void this.#context.resume();
    this.#bleep ??= startTone(this.#context);
    if (music) void this.#prepareMusic(this.#context, music.id);
  }

  /** Plays what is heard in a frame of the output. */
  follow(edit: Edit, frame: number, isMuted: boolean): void {
    this.begin(edit);
    const isBleep = edit.muted?.sound === 'bleep' && isMutedAt(edit, frame) && !isMuted;
    if (this.#bleep) this.#bleep.value = isBleep ? bleepVolume : 0;
    if (!this.#music) return;
    const { element, gain } = this.#music;
    const seconds = frame / edit.frameRate;
    gain.value = isMuted ? 0 : computeMusicVolume(edit, seconds);
    const place = seconds % (element.duration || Infinity);
    if (Math.abs(element.currentTime - place) > maxMusicDrift) element.currentTime = place;
    if (element.paused) element.play().catch(() => {});
  }

  pause(): void {
    if (this.#bleep) this.#bleep.value = 0;
    this.#music?.element.pause();
    this.#lostId = null;
  }

  close(): void {
    this.#dropMusic();
    void this.#context?.close();
  }

  async #prepareMusic(context: AudioContext, id: string): Promise<void> {
    if ([this.#musicId, this.#lostId].includes(id)) return;
    this.#dropMusic();
    this.#musicId = id;
    const file = await this.#loadMusic(id).catch(() => null);
    // Others were chosen meanwhile.
    if (this.#musicId !== id) return;
    if (!file) {
      [this.#musicId, this.#lostId] = [null, id];
      return;
    }
    const element = new Audio(URL.createObjectURL(file));
    element.loop = true;
    const node = new GainNode(context, { gain: 0 });
    const source = new MediaElementAudioSourceNode(context, { mediaElement: element });
    source.connect(node).connect(context.destination);
    this.#music = { element, gain: node.gain };
  }

  #dropMusic(): void {
    this.#music?.element.pause();
    if (this.#music) URL.revokeObjectURL(this.#music.element.src);
    [this.#music, this.#musicId] = [null, null];
  }
}

/** Starts a tone that is silent at first. Returns its volume. */
function startTone(context: AudioContext): AudioParam {
  const node = new GainNode(context, { gain: 0 });
  const tone = new OscillatorNode(context, { frequency: bleepHertz });
  tone.connect(node).connect(context.destination);
  tone.start();
  return node.gain;
}
