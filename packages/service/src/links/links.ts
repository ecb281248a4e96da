import { makeFileAddress, type PublicFiles } from '../storage/public-files.ts';
import { type Link, type LinkKeys, readLink, signLink } from './signature.ts';

/** The lifetime of the addresses in answers of the API, in seconds. */
export const usualLinkSeconds = 3600;

/**
 * The step at which addresses end, which is ten minutes: an answer that is read again has the same
 * addresses, which browsers have cached.
 */
const steadySeconds = 600;

/** The addresses of an organization's clips, for the callers of the API. */
export interface Addresses {
  /** `id`: of the clip that the file belongs to, or of the task whose picture it is. */
  file(key: string, id: string): string;
  /** Returns the address of a clip's poster. */
  poster(id: string): string;
}

interface Options {
  /** Whether the clips of organizations that have set nothing are private. */
  readonly byDefault: boolean;
  readonly keys: () => Promise<LinkKeys>;
  /** Returns the setting of an organization; null: none. */
  readonly settingOf: (organizationId: string) => Promise<boolean | null>;
  readonly files: PublicFiles;
  /** The address of the service, with no slash at the end. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The addresses of clips: open to everyone, or signed where clips are private. */
export class Links {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)() / 1000;
  }

  /** Whether clips are private. `setting`: what their organization has set. */
  isPrivate(setting: boolean | null): boolean {
    return setting ?? this.#options.byDefault;
  }

  /** Signs the addresses of a clip. */
  async sign(id: string, seconds: number): Promise<Link> {
    return signLink(await this.#options.keys(), id, Math.floor(this.#now + seconds));
  }

  /** Returns the link of a request by its query; null if it opens nothing of the clip. */
  async open(id: string, query: Readonly<Record<string, string>>): Promise<Link | null> {
    return readLink(await this.#options.keys(), id, query, this.#now);
  }

  /** Whether a query belongs to an expired link, of whatever clip. */
  hasEnded({ expires = '' }: Readonly<Record<string, string | undefined>>): boolean {
    return /^\d{1,11}$/.test(expires) && Number(expires) <= this.#now;
  }

  /** Seconds until the link's end. */
  secondsLeft({ expires }: Link): number {
    return Math.max(0, Math.floor(expires - this.#now));
  }

  /** Returns `Cache-Control` for an answer to a link. `seconds`: how long it may be cached. */
  cacheControl(link: Link, seconds: number): string {
    return `private, max-age=${Math.min(seconds, this.secondsLeft(link))}`;
  }

  /** Returns the addresses of an organization's clips, which are valid for 50 minutes or more. */
  async addressesOf(organizationId: string): Promise<Addresses> {
    const { files, keys, publicUrl, settingOf } = this.#options;
    const root = `${publicUrl()}/`;
    if (!this.isPrivate(await settingOf(organizationId))) {
      return {
        file: (key) => makeFileAddress(files, root, key),
        poster: (id) => `${root}player/${id}/poster.jpg`,
      };
    }
    const known = await keys();
    const end = Math.floor((this.#now + usualLinkSeconds) / steadySeconds) * steadySeconds;
    return {
      file: (key, id) => root + signFile(key, id, signLink(known, id, end)),
      poster: (id) => root + signPoster(id, signLink(known, id, end)),
    };
  }
}

/** The address of a private clip's file, from the service's root. */
export const signFile = (key: string, id: string, { query }: Link): string =>
  `player/${id}/files/${key}?${query}`;

/** The address of a clip's captions, from the service's root. */
export const makeCaptionsAddress = (id: string, link: Link | null): string =>
  `player/${id}/captions.vtt${link ? `?${link.query}` : ''}`;

/** The address of a segment of a preview that is being rendered, from the service's root. */
export const makeSegmentAddress = (id: string, segment: string, link: Link | null): string =>
  `player/${id}/stream/${segment}${link ? `?${link.query}` : ''}`;

/** The address of a private clip's poster, from the service's root. */
export const signPoster = (id: string, { query }: Link): string =>
  `player/${id}/poster.jpg?${query}`;
