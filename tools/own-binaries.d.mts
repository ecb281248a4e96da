export function removeOtherBinaries(folder: string): void;
