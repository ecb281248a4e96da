export function browserPath(): string;
export function firefoxPath(): string;
export function webkitPaths(): { driver: string; display: string };
