import type { Edit } from 'clip-engine/drawing';

/** The same tone as in exports. */
const [bleepHertz, bleepVolume] = [1000, 1 / 8];

/** Whether a word that is not heard is in a frame of the output, or in the next one. */
export function isMutedAt({ muted, frameRate }: Edit, frame: number): boolean {
  const [from, to] = [frame / frameRate, (frame + 2) / frameRate];
  return muted?.spans.some(({ start, end }) => start < to && end > from) ?? false;
}

/** The sound of an edit that is not in its source: bleeps over muted words. */
export class LiveSound {
  #bleep: { context: AudioContext; gain: AudioParam } | null = null;

  /** Browsers allow sound only after a person has pressed a key or a button. */
  begin({ muted }: Edit): void {
    if (muted?.sound !== 'bleep') return;
    this.#bleep ??= startTone();
    void this.#bleep.context.resume();
  }

  /** Plays what is heard in a frame of the output. */
  follow(edit: Edit, frame: number, isMuted: boolean): void {
    const isHeard = edit.muted?.sound === 'bleep' && isMutedAt(edit, frame) && !isMuted;
    if (this.#bleep) this.#bleep.gain.value = isHeard ? bleepVolume : 0;
  }

  pause(): void {
    if (this.#bleep) this.#bleep.gain.value = 0;
  }

  close(): void {
    void this.#bleep?.context.close();
    this.#bleep = null;
  }
}

/** Starts a tone that is silent at first. */
function startTone(): { context: AudioContext; gain: AudioParam } {
  const context = new AudioContext();
  const node = new GainNode(context, { gain: 0 });
  const tone = new OscillatorNode(context, { frequency: bleepHertz });
  tone.connect(node).connect(context.destination);
  tone.start();
  return { context, gain: node.gain };
}
