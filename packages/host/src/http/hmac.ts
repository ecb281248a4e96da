/** HMAC-SHA-256 of a text, by a secret or a key. */
export async function computeHmac(secret: string | Uint8Array, text: string): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const raw = typeof secret === 'string' ? encoder.encode(secret) : secret;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw as BufferSource, hmac, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(hmac, key, encoder.encode(text)));
}
