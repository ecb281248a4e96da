import type { DrawnText, TextAnswer, TextRequest, TextSetting } from './text-protocol.ts';

/**
 * The text of an edit, drawn by libass in a worker. Where WebAssembly is refused, it does not open.
 */
export class TextLayer {
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<TextAnswer> | null = null;
  #shown: DrawnText = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<TextAnswer>) => this.#waiting?.resolve(data);
    worker.onerror = ({ message }) => this.#waiting?.reject(new Error(message));
  }

  /** @throws Error if the browser, or the page's policy, does not run it */
  static async open(setting: TextSetting, script: URL): Promise<TextLayer> {
    const layer = new TextLayer(new Worker(script, { type: 'module', name: 'text' }));
    try {
      await layer.#ask({ kind: 'open', setting });
      return layer;
    } catch (error) {
      layer.close();
      throw error;
    }
  }

  async #ask(request: TextRequest): Promise<TextAnswer> {
    this.#waiting = Promise.withResolvers();
    this.#send(request);
    const answer = await this.#waiting.promise;
    this.#waiting = null;
    if (answer.kind === 'refused') throw new Error(answer.reason);
    return answer;
  }

  #send(request: TextRequest): void {
    this.#worker.postMessage(request);
  }

  set document(document: string) {
    this.#send({ kind: 'document', document });
  }

  /** The text at a moment of the output, until it is drawn again. One picture at a time. */
  async draw(seconds: number): Promise<DrawnText> {
    const answer = await this.#ask({ kind: 'draw', seconds });
    if (answer.kind === 'drawn') {
      this.#shown?.picture.close();
      this.#shown = answer.text;
    }
    return this.#shown;
  }

  close(): void {
    this.#worker.terminate();
    // A picture that is being drawn does not come any more.
    this.#waiting?.resolve({ kind: 'unchanged' });
    this.#shown?.picture.close();
  }
}
