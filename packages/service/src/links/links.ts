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

  /** Signs the addresses of a clip if its organization's setting asks for it; null if not. */
  async signPrivate(setting: boolean | null, id: string, seconds: number): Promise<Link | null> {
    return this.isPrivate(setting) ? this.sign(id, seconds) : null;
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
    const known = this.isPrivate(await settingOf(organizationId)) ? await keys() : null;
    const end = Math.floor((this.#now + usualLinkSeconds) / steadySeconds) * steadySeconds;
    const linkTo = (id: string) => known && signLink(known, id, end);
    return {
      file: (key, id) => makeClipFileAddress(files, root, key, { id, link: linkTo(id) }),
      poster: (id) => root + makeClipAddress(id, 'poster.jpg', linkTo(id)),
    };
  }
}

/** The address of what a clip has by this name, from the service's root. */
export const makeClipAddress = (id: string, name: string, link: Link | null): string =>
  `player/${id}/${name}${link ? `?${link.query}` : ''}`;

/** The address of a clip's file, as {@link makeFileAddress} for a public one. */
export const makeClipFileAddress = (
  files: PublicFiles,
  root: string,
  key: string,
  { id, link }: { id: string; link: Link | null },
): string =>
  link ? root + makeClipAddress(id, `files/${key}`, link) : makeFileAddress(files, root, key);
