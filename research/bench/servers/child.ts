/**
 * The child's side of a measured server: it is started by `fork` with its settings as the only
 * argument.
 */
export interface Started {
  url: string;
  /** What the bench needs to know beside the address. */
  facts?: Record<string, string>;
  close(): unknown;
}

/** What a process has used since it began. */
export interface Usage {
  /** Processor time in microseconds, user and system. */
  cpu: number;
  /** Resident memory in bytes. */
  memory: number;
  /** The same at the most. */
  peak: number;
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS * 1024;
  return { cpu: user + system, memory: process.memoryUsage.rss(), peak };
}

/**
 * Starts the server, says where it is, and answers questions for its usage until it is told to
 * stop.
 */
export async function serve<T>(start: (settings: T) => Promise<Started>): Promise<void> {
  const started = await start(JSON.parse(process.argv[2] ?? '{}') as T);
  process.on('message', (message) => {
    if (message === 'usage') process.send?.(usage());
  });
  // The channel closes when the bench stops the server, and when the bench itself ends.
  process.once('disconnect', () => {
    void Promise.resolve(started.close()).finally(() => process.exit());
  });
  process.send?.({ url: started.url, facts: started.facts ?? {} });
}
