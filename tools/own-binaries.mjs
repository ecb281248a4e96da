// Runs on Node 20 after an installation: `node tools/own-binaries.mjs` in the root.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes the binaries of `onnxruntime-node` that are for other machines: it has those of all in
 * one package, 240 of its 288 MB.
 */
export function removeOtherBinaries(folder) {
  const binaries = join(folder, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6');
  if (!existsSync(join(binaries, process.platform, process.arch))) return;
  for (const system of readdirSync(binaries)) {
    for (const processor of readdirSync(join(binaries, system))) {
      if (system === process.platform && processor === process.arch) continue;
      rmSync(join(binaries, system, processor), { recursive: true });
    }
  }
}

if (import.meta.filename === process.argv[1]) removeOtherBinaries('.');
