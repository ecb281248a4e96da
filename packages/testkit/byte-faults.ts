import type { IncomingMessage } from 'node:http';

/** How the connections that carry the bytes of files fail. */
export class ByteFaults {
  /** A connection is cut after this number of bytes, this many times. */
  cutAfter = 0;
  cuts = 0;
  /** After the last cut nobody answers. */
  cutsEndOffline = false;
  /** Every connection is cut. */
  offline = false;
  /** Bytes wait while it is true. */
  isHeld = false;
  /** The answer to the bytes; 0: they are taken. */
  refuseBytes = 0;
  /** Bytes that have come, also those that came twice. */
  bytes = 0;
  #sinceCut = 0;

  /** Holds or cuts a request with bytes; false if it is over. */
  async carry(request: IncomingMessage): Promise<boolean> {
    while (this.isHeld && !request.socket.destroyed) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (this.offline) request.socket.destroy();
    if (request.socket.destroyed) return false;
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, ...rest) => {
      this.#sinceCut += chunk?.length ?? 0;
      this.bytes += chunk?.length ?? 0;
      const isCut = this.cuts > 0 && this.cutAfter > 0 && this.#sinceCut > this.cutAfter;
      if (isCut && !request.socket.destroyed) {
        this.#sinceCut = 0;
        this.offline = --this.cuts === 0 && this.cutsEndOffline;
        request.socket.destroy();
      }
      return push(chunk, ...rest);
    };
    return true;
  }
}
