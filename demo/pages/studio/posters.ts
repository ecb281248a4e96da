const retryDelayMs = 1500;
/** How often to ask for a picture: about five minutes in total. */
const maxTries = 200;

/**
 * The clips' pictures, each reported when it exists: the service makes them after the clips are
 * known.
 */
export class Posters {
  readonly #serviceUrl: string;
  readonly #changed: () => void;
  readonly #known = new Map<string, string | null>();

  constructor(serviceUrl: string, changed: () => void) {
    this.#serviceUrl = serviceUrl;
    this.#changed = changed;
  }

  /** The picture's URL, or null while there is none. */
  of(projectId: string): string | null {
    const known = this.#known.get(projectId);
    if (known !== undefined) return known;
    this.#known.set(projectId, null);
    void this.#find(projectId);
    return null;
  }

  async #find(projectId: string): Promise<void> {
    const url = `${this.#serviceUrl}/player/${encodeURIComponent(projectId)}/poster.jpg`;
    for (let tried = 0; tried < maxTries; tried += 1) {
      const image = new Image();
      image.src = tried ? `${url}?again=${tried}` : url;
      const there = await image.decode().then(
        () => true,
        () => false,
      );
      if (there) {
        this.#known.set(projectId, image.src);
        this.#changed();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
