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

/** The addresses of uploads at the host itself: `{basePath}/uploads/{id}`. */
export class UploadAddresses {
  readonly #origin: string;
  readonly #ownOrigins: readonly string[];
  readonly #path: string;

  constructor(request: Request, basePath: string, origins: readonly string[]) {
    this.#origin = browserOrigin(request);
    this.#ownOrigins = [this.#origin, new URL(request.url).origin, ...origins];
    this.#path = `${basePath}/uploads/`;
  }

  readonly of = (uploadId: string): string =>
    `${this.#origin}${this.#path}${encodeURIComponent(uploadId)}`;

  /** The id in an address of the host; null for any other address. */
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
