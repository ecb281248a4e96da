/**
 * Runs the tests of the service's files and of the host's uploads on an S3 server of their own.
 * Prints `N passed, M failed` at the end.
 */
import { testWithServers } from './server-tests.ts';
import { suites } from './suites.ts';
import { startSwift } from './swift-server.ts';

await testWithServers([startSwift], suites['s3']!.files);
