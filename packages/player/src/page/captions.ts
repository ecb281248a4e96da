import type { CaptionsView } from '../clip-view.ts';
import { root } from './address.ts';
import { find } from './dom.ts';

const video = find<HTMLVideoElement>('video');
const button = find('[data-action="captions"]');
/** The page draws the captions itself: browsers would draw them under the controls. */
const shown = find('.cues');
const transcript = find('.transcript');

let track: TextTrack | null = null;
let isOn = false;

export const isCaptioned = (): boolean => track !== null && isOn;

/** The texts of cues, each as an element. */
const drawCues = (cues: TextTrackCueList | null, name: 'span' | 'p'): HTMLElement[] =>
  Array.from(cues ?? [], (cue) => {
    const line = document.createElement(name);
    line.append((cue as VTTCue).getCueAsHTML());
    return line;
  });

function draw(): void {
  button.hidden = track === null;
  button.ariaPressed = String(isCaptioned());
  shown.replaceChildren(...(isCaptioned() ? drawCues(track!.activeCues, 'span') : []));
}

/** Shows or hides the captions, if there are any. */
export function setCaptions(wanted: boolean): void {
  isOn = wanted;
  draw();
}

/** A track must be of its page's own origin. A page in a sandbox has none: it makes a copy. */
async function load(element: HTMLTrackElement, url: string): Promise<void> {
  element.src = origin === 'null' ? URL.createObjectURL(await (await fetch(url)).blob()) : url;
}

/** Adds the captions of the clip: shown if its pictures do not carry them. */
export function addCaptions(captions: CaptionsView | null | undefined): void {
  video.querySelector('track')?.remove();
  track = null;
  if (captions) {
    const element = document.createElement('track');
    element.kind = 'captions';
    element.srclang = captions.language ?? '';
    // A clip without its captions still plays.
    load(element, new URL(captions.url, root).href).catch(() => {});
    element.addEventListener('load', () => {
      const lines = drawCues(element.track.cues, 'p');
      transcript.replaceChildren(...lines);
      transcript.hidden = lines.length === 0;
    });
    video.append(element);
    track = element.track;
    // Loaded, but not drawn by the browser.
    track.mode = 'hidden';
    track.addEventListener('cuechange', draw);
    shown.lang = transcript.lang = captions.language ?? '';
    isOn = !captions.burnedIn;
  }
  draw();
}

/** A phone shows only the video itself in full screen: it draws the captions there. */
export function connectCaptions(): void {
  video.addEventListener('webkitbeginfullscreen', () => {
    if (isCaptioned()) track!.mode = 'showing';
  });
  video.addEventListener('webkitendfullscreen', () => {
    if (track) track.mode = 'hidden';
  });
}
