const types: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  json: 'application/json',
};

/** What a stored file is, by the end of its key. */
export const contentTypeOf = (key: string): string =>
  types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
