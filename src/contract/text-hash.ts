/** A hash of a text (FNV-1a, 64 bits) in base 36. `crypto.subtle` is missing on plain http. */
export function textHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}
