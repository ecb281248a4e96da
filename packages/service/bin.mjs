#!/usr/bin/env node
// JavaScript, which every version of Node can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `clip-service needs Node 22.18 or later, and this is Node ${process.versions.node}: install a newer one.`,
  );
  process.exit(1);
}
// The modules take some time to read. Without a handler, the first process of a container does not
// hear of signals at all; main.ts replaces these.
if ([undefined, 'all', 'api', 'worker'].includes(process.argv[2])) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
}
await import('./src/main.ts');
