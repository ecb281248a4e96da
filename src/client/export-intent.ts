import type { StartOptionsInput } from '../contract/host.ts';
import type { ClipAddress } from './host-client.ts';

/** What an export button stands for. */
export interface ExportIntent extends ClipAddress {
  readonly options: StartOptionsInput;
  /** An existing export to watch instead of starting one. */
  readonly exportId: string | null;
}
