/**
 * Maximum length of an id that is stored as it is, in UTF-16 units. Two of them fit into an index
 * of every database.
 */
const maxIdLength = 250;

/**
 * An id in a form that a database can store; almost always unchanged. An id with NUL or a lone
 * surrogate becomes its JSON, because UTF-8 columns cannot hold or distinguish it. A long id
 * becomes `#` and its SHA-256 in hex. Different ids stay different.
 */
export async function storedId(id: string): Promise<string> {
  const json = JSON.stringify(id);
  const spelt = /^["#]|\0|\p{Cs}/u.test(id) ? json : id;
  if (spelt.length <= maxIdLength) return spelt;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json));
  const bytes = [...new Uint8Array(digest)];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
