#!/usr/bin/env node
// JavaScript, which every version of Node can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `clip-engine needs Node 22.18 or later, and this is Node ${process.versions.node}: install a newer one.`,
  );
  process.exit(1);
}
await import('./src/cli.ts');
