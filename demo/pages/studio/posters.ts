const pause = 1500;
/** How often a picture is asked for: about five minutes. */
const tries = 200;

/** The clips' pictures, each given out once it is there: the service makes them after the clips are known. */
export class Posters {
  readonly #serviceUrl: string;
  readonly #changed: () => void;
  readonly #known = new Map<string, string | null>();

  constructor(serviceUrl: string, changed: () => void) {
    this.#serviceUrl = serviceUrl;
    this.#changed = changed;
  }

  /** The picture's address, or null while there is none. */
  of(projectId: string): string | null {
    const known = this.#known.get(projectId);
    if (known !== undefined) return known;
    this.#known.set(projectId, null);
    void this.#find(projectId);
    return null;
  }

  async #find(projectId: string): Promise<void> {
    const url = `${this.#serviceUrl}/player/${encodeURIComponent(projectId)}/poster.jpg`;
    for (let tried = 0; tried < tries; tried += 1) {
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
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
