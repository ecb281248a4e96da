/**
 * The origin at which the browser reaches the host. A page of the same origin names it, so that it
 * is right behind a proxy that hides it. Whoever sends another one misleads only themselves.
 */
function browserOrigin(request: Request): string {
  const { headers, url } = request;
  const named =
    headers.get('Sec-Fetch-Site') === 'same-origin'
      ? (headers.get('Origin') ?? headers.get('Referer'))
      : null;
  return new URL(named !== null && URL.canParse(named) ? named : url).origin;
}

/** Addresses at the host itself, as the browser reaches it. */
export class HostAddresses {
  readonly #origin: string;
  readonly #ownOrigins: readonly string[];
  readonly #basePath: string;
  readonly #path: string;

  constructor(request: Request, basePath: string, origins: readonly string[]) {
    this.#origin = browserOrigin(request);
    this.#ownOrigins = [this.#origin, new URL(request.url).origin, ...origins];
    this.#basePath = basePath;
    this.#path = `${basePath}/uploads/`;
  }

  /** Of an upload. */
  readonly of = (uploadId: string): string =>
    `${this.#origin}${this.#path}${encodeURIComponent(uploadId)}`;

  /** Of the file of an export, with the grant that replaces a session. */
  ofDownload(exportId: string, grant: string): string {
    return `${this.#origin}${this.#basePath}/exports/${encodeURIComponent(exportId)}/download?grant=${grant}`;
  }

  /** The id of the upload in an address of the host; null for any other address. */
  idOf(address: string): string | null {
    const { origin, pathname } = new URL(address);
    if (!this.#ownOrigins.includes(origin) || !pathname.startsWith(this.#path)) return null;
    const segment = pathname.slice(this.#path.length);
    try {
      return segment && !segment.includes('/') ? decodeURIComponent(segment) : null;
    } catch {
      return null;
    }
  }
}
