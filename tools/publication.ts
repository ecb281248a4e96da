/** Where the project is published. Its owner sets this once; `npm run release` needs both. */
export const publication: {
  /** Address of the documentation, such as `https://clip-kit.example/docs/`. */
  readonly homepage: string | null;
  /** Address of the repository, such as `https://github.com/OWNER/clip-kit`. */
  readonly repository: string | null;
} = { homepage: null, repository: null };
