import type { ClipErrorCode } from '../../client/clip-error.ts';

/*
 * What loads a page in a frame, and then steers the player in it. Loaded with the first frame that
 * comes near the viewport.
 */
export { MediaBridge } from '../media/media-bridge.ts';

/** Without `web-share`, because browsers that do not know it log a warning. */
const defaultAllow = 'autoplay; fullscreen; clipboard-write; encrypted-media; picture-in-picture';

/** The message of our own pages. */
const ownHandshake = 'clip-ready';

/** What the framed page reports of its clip when it has loaded. */
export interface Handshake {
  readonly width?: unknown;
  readonly height?: unknown;
}

interface Options {
  readonly timeout: number;
  readonly allow: string | null;
  readonly sandbox: string | null;
  readonly referrerPolicy: string | null;
  /** The message that the page posts when it has loaded; null: its `load` event counts. */
  readonly handshake: string | null;
  /** Aborts when the frame is no longer wanted. */
  readonly signal: AbortSignal;
  /** Whether a blocked address is the frame's. */
  isOwn(address: string): boolean;
  /** Called when the page in the frame is there. */
  ready(handshakeData: Handshake): void;
  /** Called with what else the page in the frame posts, which may have gone on to another site. */
  received(data: unknown, origin: string): void;
  failed(code: ClipErrorCode, message: string): void;
}

/** Makes a frame, and follows whether the page in it comes. */
export function loadFrame(options: Options): HTMLIFrameElement {
  const { allow, handshake, referrerPolicy, sandbox, signal, failed, ready } = options;
  const frame = document.createElement('iframe');
  frame.setAttribute('part', 'frame');
  frame.allow = allow ?? defaultAllow;
  frame.referrerPolicy = (referrerPolicy ?? 'strict-origin-when-cross-origin') as ReferrerPolicy;
  if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
  const blank = () =>
    failed('frame-blank', "The clip's page did not load. It may be unavailable for the moment.");
  let isLoaded = false;
  const timer = setTimeout(
    () => (isLoaded ? blank() : failed('frame-timeout', 'The clip did not load in time.')),
    options.timeout,
  );
  signal.addEventListener('abort', () => clearTimeout(timer));
  const loaded = (handshakeData: Handshake) => {
    clearTimeout(timer);
    ready(handshakeData);
  };
  frame.addEventListener(
    'load',
    () => {
      const code = statusOf(frame);
      if (code >= 400) blank();
      else if (!handshake && code) loaded({});
      else isLoaded = !!code;
    },
    { signal },
  );
  addEventListener(
    'message',
    ({ source, origin, data }) => {
      if (source !== frame.contentWindow) return;
      if ((data?.type ?? data) === (handshake ?? ownHandshake)) loaded(Object(data));
      else options.received(data, origin);
    },
    { signal },
  );
  // Browsers report frames that this page's own policy forbids; some fire `load` as well.
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective === 'frame-src' && blockedURI && options.isOwn(blockedURI)) {
        failed('frame-blocked', "This site's own security policy does not let the clip be shown.");
      }
    },
    { signal },
  );
  return frame;
}

/** HTTP status of the page in a frame; 200 for any page of another site, 0 if there is no page. */
function statusOf(frame: HTMLIFrameElement): number {
  try {
    const { location, performance } = frame.contentWindow!;
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // The initial empty page of a frame also fires `load`.
    return location.href === 'about:blank' ? 0 : entry?.responseStatus || 200;
  } catch {
    return 200;
  }
}
