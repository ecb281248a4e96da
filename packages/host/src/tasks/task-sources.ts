import { HostProblem } from '../http/host-problem.ts';

interface Sources {
  readonly source_video_url: string;
  readonly subtitles_url?: string | undefined;
}

/**
 * The request with the addresses that the service can read, instead of the host's own ones of
 * uploads. `sourceOf`: null for any other address. Throws 404 and 422 with the field.
 */
export async function withReadableSources<Body extends Sources>(
  body: Body,
  sourceOf: (address: string) => Promise<string | null>,
): Promise<Body> {
  const readable = async (path: keyof Sources): Promise<Partial<Sources>> => {
    const address = body[path];
    if (address === undefined) return {};
    try {
      const source = await sourceOf(address);
      return source === null ? {} : { [path]: source };
    } catch (cause) {
      if (!(cause instanceof HostProblem) || cause.status >= 500) throw cause;
      const { message, details } = cause;
      throw new HostProblem(cause.code, { ...details, errors: [{ path, message }] });
    }
  };
  return {
    ...body,
    ...(await readable('source_video_url')),
    ...(await readable('subtitles_url')),
  };
}
