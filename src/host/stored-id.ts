/** Longest id that is kept as it is, in UTF-16 units: two of them fit into an index of every database. */
const longest = 250;

/**
 * An id as a database can keep it: almost always as it is. One with NUL or half a surrogate pair, which UTF-8 columns
 * cannot hold or cannot tell apart, becomes its JSON; a long one `#` and its SHA-256 in hex. No two ids become the same.
 */
export const storedId = async (id: string): Promise<string> => {
  const json = JSON.stringify(id);
  const spelt = /^["#]|\0|\p{Cs}/u.test(id) ? json : id;
  if (spelt.length <= longest) return spelt;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json));
  const bytes = [...new Uint8Array(digest)];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};
