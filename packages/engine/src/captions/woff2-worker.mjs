// Unpacks a WOFF2 file. In a thread of its own: a broken file may end the code that reads it.
import { parentPort, workerData } from 'node:worker_threads';
import { decompress } from 'wawoff2';

const bytes = await decompress(workerData);
parentPort.postMessage(Uint8Array.from(bytes));
