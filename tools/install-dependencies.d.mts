export function withoutOwnNode(): NodeJS.ProcessEnv;
export function installDependencies(folder: string, signal?: AbortSignal): Promise<boolean>;
