export class Missing extends Error {}
export function installPackages(what: string, packages: readonly string[], elsewhere: string): void;
