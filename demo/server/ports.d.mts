/** The ports of the site and of the service that it starts; 0 uses any free port. */
export interface DemoPorts {
  readonly port: number;
  readonly servicePort: number;
}

/** The address on which the demo listens. */
export const address: string;

/** Reads PORT (4300) and SERVICE_PORT (4400). Throws a `TypeError` that names an invalid one. */
export function readPorts(env: Readonly<Record<string, string | undefined>>): DemoPorts;

/** The line that says what to do about a port that another program uses. */
export function busyMessage(port: number | undefined): string;

/** Rejects with a line for the terminal if a port of the demo is invalid or in use. */
export function checkPorts(env: Readonly<Record<string, string | undefined>>): Promise<void>;
