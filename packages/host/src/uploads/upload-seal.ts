/** What the id of an upload in a bucket says. */
export interface SealedUpload {
  /** Of the object in the bucket. */
  readonly key: string;
  /** That the bucket has given to the parts. */
  readonly multipartId: string;
  readonly name: string;
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

const encoder = new TextEncoder();

function toBase64Url(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

const importKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']);

/**
 * Seals what belongs to an upload in its id, so that no store has to remember it. Only the user for
 * whom it was sealed can open it.
 */
export class UploadSeal {
  readonly #key: Promise<CryptoKey>;

  /** The key is derived from the secret, which can have other purposes. */
  constructor(secret: string) {
    this.#key = importKey(encoder.encode(secret))
      .then((key) => crypto.subtle.sign(hmac, key, encoder.encode('clip-kit upload ids')))
      .then((derived) => importKey(new Uint8Array(derived)));
    // Whoever seals or opens gets the failure.
    this.#key.catch(() => {});
  }

  async seal(hostUser: string, upload: SealedUpload): Promise<string> {
    const { key, multipartId, name, size, createdAt } = upload;
    const content = toBase64Url(
      encoder.encode(JSON.stringify([key, multipartId, name, size, createdAt])),
    );
    const tag = await crypto.subtle.sign(hmac, await this.#key, signedText(hostUser, content));
    return `${content}.${toBase64Url(new Uint8Array(tag))}`;
  }

  /** Null for an id that this host has not sealed for this user. */
  async open(hostUser: string, id: string): Promise<SealedUpload | null> {
    const [, content, tag] = /^([\w-]+)\.([\w-]{43})$/.exec(id) ?? [];
    if (content === undefined || tag === undefined) return null;
    const text = signedText(hostUser, content);
    const isOwn = await crypto.subtle.verify(hmac, await this.#key, fromBase64Url(tag), text);
    if (!isOwn) return null;
    const [key, multipartId, name, size, createdAt] = JSON.parse(
      new TextDecoder().decode(fromBase64Url(content)),
    ) as [string, string, string, number, number];
    return { key, multipartId, name, size, createdAt };
  }
}

const signedText = (hostUser: string, content: string): Uint8Array<ArrayBuffer> =>
  encoder.encode(JSON.stringify([hostUser, content]));
