export function withoutOwnNode(): NodeJS.ProcessEnv;
export function installDependencies(
  folder: string,
  options?: { signal?: AbortSignal; omitDev?: boolean },
): Promise<boolean>;
