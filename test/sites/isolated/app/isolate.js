/** Adds the header that isolates a page to every answer of the server that is loaded after this. */
import { ServerResponse } from 'node:http';

const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...head) {
  this.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  this.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  return writeHead.apply(this, head);
};
