/** Runs all test commands, after the setup; with `--part` what `.ci/run` runs of them. */
import { runSteps } from './run-steps.ts';
import { suites } from './suites.ts';

// Most of them wait now and then, or keep only one processor busy.
await runSteps(suites(process.argv.includes('--part')), 2);
