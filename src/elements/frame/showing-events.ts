import { Showing, type ProgressPercent } from '../../flow/showing.ts';

/*
 * Counts the views of a clip. Loaded when the first clip of the page plays. As in `frame-load.ts`,
 * it imports nothing that the elements run.
 */

/** The element that shows the clip. */
export interface ShowingElement extends EventTarget {
  readonly project: string | null;
  readonly paused: boolean;
  readonly currentTime: number;
  readonly duration: number;
  readonly playbackRate: number;
  readonly muted: boolean;
}

/** The address for a page's views. */
export interface ViewsSetting {
  readonly url: string;
  readonly place: string | null;
}

/** Whether the visitor does not want to be counted: Global Privacy Control, or Do Not Track. */
const isPrivate = ({ globalPrivacyControl, doNotTrack }: Partial<PrivacySignals>): boolean =>
  !!globalPrivacyControl || doNotTrack === '1';

interface PrivacySignals {
  readonly globalPrivacyControl: boolean;
  readonly doNotTrack: string | null;
}

/** Sends the view, and its later parts, if the page has set an address. */
async function reportView(
  { project, muted }: ShowingElement,
  showing: Showing,
  views: () => ViewsSetting | null,
  signal: AbortSignal,
): Promise<void> {
  if (!project || isPrivate(navigator)) return;
  try {
    const setting = views();
    if (!setting) return;
    const { url, place } = setting;
    if (place && !/^[\w-]{1,32}$/.test(place)) {
      throw new Error('views-place must be 1 to 32 characters of A-Z a-z 0-9 _ -');
    }
    const { sendView } = await import('../../client/view-beacon.ts');
    const marks = (): number[] => showing.marks;
    sendView({ url, project_id: project, muted, ...(place && { place }), marks }, signal);
  } catch (error) {
    console.error('clip-kit: views are not sent:', (error as Error).message);
  }
}

/** Counts the present showing of an element, which has begun to play, until `signal` aborts. */
export function followShowing(
  element: ShowingElement,
  views: () => ViewsSetting | null,
  startSeconds: number,
  signal: AbortSignal,
): void {
  const showing = new Showing(startSeconds);
  const jump = (): void => showing.jump();
  element.addEventListener('seeking', jump, { signal });
  element.addEventListener('seeked', jump, { signal });
  element.addEventListener(
    'timeupdate',
    () => {
      for (const reached of showing.follow(element)) {
        if (reached === 'view') void reportView(element, showing, views, signal);
        element.dispatchEvent(
          reached === 'view'
            ? new ClipViewEvent(element)
            : new ClipProgressMarkEvent(element, reached),
        );
      }
    },
    { signal },
  );
}

/** A clip was watched for two seconds, or for a quarter if it is shorter than eight. */
export class ClipViewEvent extends Event {
  /** The clip's project id. */
  readonly project: string | null;
  /** Whether the sound was off. */
  readonly muted: boolean;

  constructor({ project, muted }: ShowingElement) {
    super('clip-view', { bubbles: true, composed: true });
    this.project = project;
    this.muted = muted;
  }
}

/** Playback has reached a part of a clip. */
export class ClipProgressMarkEvent extends Event {
  /** The clip's project id. */
  readonly project: string | null;
  /** 25, 50, 75 or 95 percent of the clip. */
  readonly percent: ProgressPercent;

  constructor({ project }: ShowingElement, percent: ProgressPercent) {
    super('clip-progress-mark', { bubbles: true, composed: true });
    this.project = project;
    this.percent = percent;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-view': ClipViewEvent;
    'clip-progress-mark': ClipProgressMarkEvent;
  }
}
