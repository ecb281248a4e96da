/** The kinds of stored files that belong to rows, and whose ids they are kept under. */
export const owners = {
  sources: 'tasks',
  stretches: 'tasks',
  posters: 'tasks',
  previews: 'projects',
  films: 'projects',
  exports: 'exports',
  watermarks: 'exports',
  pictures: 'tasks',
  uploads: 'uploads',
} as const;

export type StoredKind = keyof typeof owners;
export type Owner = (typeof owners)[StoredKind];

export const storedKinds = Object.keys(owners) as StoredKind[];
