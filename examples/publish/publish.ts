import { createServer, type IncomingMessage } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Export,
  isSignedWebhook,
  webhookEventSchema,
  webhookHeaders,
  importWebhookKey,
  decodeWebhookSecret,
} from 'clip-kit/contract';

const { env } = process;

interface Post {
  title: string;
  description: string;
  tags: readonly string[];
  /** Title, description and tags as `#hashtags`, for platforms with one text. */
  caption: string;
  videoUrl: string;
  video: Blob;
  coverUrl: string | undefined;
}

/** Fetches, and throws what a platform says if it refuses. Tokens are in headers alone. */
async function ask(url: string, init: RequestInit = {}, accepted: readonly number[] = []) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(300_000), ...init });
  if (answer.ok || accepted.includes(answer.status)) return answer;
  const text = (await answer.text()).slice(0, 500);
  throw new Error(`${new URL(url).host} answered ${answer.status}: ${text}`);
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function askJson<Answer>(url: string, token: string, body?: unknown): Promise<Answer> {
  const headers = { ...bearer(token), 'Content-Type': 'application/json; charset=UTF-8' };
  const init =
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return (await (await ask(url, init)).json()) as Answer;
}

/** Asks again until there is a result: for half an hour at most. */
async function until<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 180; tries += 1) {
    const result = await read();
    if (result !== null) return result;
    await pause(Number(env.POLL_MS ?? 10_000));
  }
  throw new Error(`${what} took more than half an hour.`);
}

/** As many characters as fit, without half a word if there is another one. */
function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const short = letters.slice(0, most - 1).join('');
  return `${short.replace(/\s+\S*$/u, '') || short}…`;
}

async function toYouTube(token: string, post: Post): Promise<string> {
  const started = await ask(
    'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status',
    {
      method: 'POST',
      headers: {
        ...bearer(token),
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Upload-Content-Length': String(post.video.size),
        'X-Upload-Content-Type': 'video/mp4',
      },
      body: JSON.stringify({
        snippet: {
          title: cut(post.title.replace(/[<>]/g, ''), 100),
          description: cut(post.description.replace(/[<>]/g, ''), 1600),
          tags: post.tags,
          categoryId: env.YOUTUBE_CATEGORY ?? '22',
        },
        status: {
          privacyStatus: env.YOUTUBE_PRIVACY ?? 'private',
          selfDeclaredMadeForKids: false,
        },
      }),
    },
  );
  const session = started.headers.get('Location');
  if (!session) throw new Error('YouTube gave no address for the upload.');
  const id = await sendResumable(session, token, post.video);
  if (post.coverUrl) {
    // The thumbnail of a Short is only taken once the video has been processed.
    await until('Processing at YouTube', async () => {
      const { items } = await askJson<{
        items?: { processingDetails?: { processingStatus?: string } }[];
      }>(`https://www.googleapis.com/youtube/v3/videos?part=processingDetails&id=${id}`, token);
      const status = items?.[0]?.processingDetails?.processingStatus;
      return status === undefined || status === 'processing' ? null : status;
    });
    const cover = await (await ask(post.coverUrl)).blob();
    await ask(`https://www.googleapis.com/upload/youtube/v3/thumbnails/set?videoId=${id}`, {
      method: 'POST',
      headers: { ...bearer(token), 'Content-Type': 'image/jpeg' },
      body: cover,
    });
  }
  return `https://youtu.be/${id}`;
}

/** Sends the file, and after a failure the rest of it. */
async function sendResumable(session: string, token: string, video: Blob): Promise<string> {
  const { size } = video;
  let from = 0;
  for (let tries = 0; tries < 5; tries += 1) {
    const range = tries === 0 ? `bytes 0-${size - 1}/${size}` : `bytes ${from}-${size - 1}/${size}`;
    const headers = { ...bearer(token), 'Content-Type': 'video/mp4', 'Content-Range': range };
    const body = video.slice(from);
    const sent = await ask(
      session,
      { method: 'PUT', headers, body },
      [308, 500, 502, 503, 504],
    ).catch(() => null);
    if (sent?.ok) return ((await sent.json()) as { id: string }).id;
    await pause(Number(env.POLL_MS ?? 10_000));
    const asked = { ...bearer(token), 'Content-Range': `bytes */${size}` };
    const state = await ask(session, { method: 'PUT', headers: asked }, [308]);
    if (state.ok) return ((await state.json()) as { id: string }).id;
    const last = /-(\d+)$/.exec(state.headers.get('Range') ?? '')?.[1];
    from = last === undefined ? 0 : Number(last) + 1;
  }
  throw new Error('The upload to YouTube was interrupted five times.');
}

const mebibyte = 1024 ** 2;

async function toTikTok(token: string, post: Post): Promise<string> {
  const api = 'https://open.tiktokapis.com/v2/post/publish';
  interface Answer<Data> {
    data: Data;
  }
  const creator = await askJson<Answer<{ privacy_level_options: string[] }>>(
    `${api}/creator_info/query/`,
    token,
    {},
  );
  const wanted = env.TIKTOK_PRIVACY ?? 'SELF_ONLY';
  if (!creator.data.privacy_level_options.includes(wanted)) {
    throw new Error(`TikTok does not allow this account to post as ${wanted}.`);
  }
  const { size } = post.video;
  const chunk = size <= 64 * mebibyte ? size : 32 * mebibyte;
  const count = Math.max(1, Math.floor(size / chunk));
  const { data } = await askJson<Answer<{ publish_id: string; upload_url: string }>>(
    `${api}/video/init/`,
    token,
    {
      post_info: { title: cut(post.caption, 2200), privacy_level: wanted },
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: size,
        chunk_size: chunk,
        total_chunk_count: count,
      },
    },
  );
  for (let index = 0; index < count; index += 1) {
    const from = index * chunk;
    const to = index === count - 1 ? size : from + chunk;
    await ask(data.upload_url, {
      method: 'PUT',
      headers: { 'Content-Type': 'video/mp4', 'Content-Range': `bytes ${from}-${to - 1}/${size}` },
      body: post.video.slice(from, to),
    });
  }
  return until('TikTok', async () => {
    const state = await askJson<Answer<{ status: string; fail_reason?: string }>>(
      `${api}/status/fetch/`,
      token,
      { publish_id: data.publish_id },
    );
    const { status, fail_reason } = state.data;
    if (status === 'FAILED') throw new Error(`TikTok did not post it: ${fail_reason}`);
    return status === 'PUBLISH_COMPLETE' ? data.publish_id : null;
  });
}

async function toInstagram(token: string, post: Post): Promise<string> {
  const user = env.INSTAGRAM_USER_ID;
  if (!user) throw new Error('Set INSTAGRAM_USER_ID.');
  const api = `https://graph.instagram.com/${env.INSTAGRAM_API_VERSION ?? 'v23.0'}`;
  const container = await askJson<{ id: string }>(`${api}/${user}/media`, token, {
    media_type: 'REELS',
    // Instagram fetches both: they must be public.
    video_url: post.videoUrl,
    ...(post.coverUrl && { cover_url: post.coverUrl }),
    caption: cut(post.caption, 2200),
  });
  await until('Instagram', async () => {
    const state = await askJson<{ status_code: string }>(
      `${api}/${container.id}?fields=status_code`,
      token,
    );
    if (state.status_code === 'FINISHED') return state;
    if (state.status_code === 'IN_PROGRESS') return null;
    throw new Error(`Instagram did not take the video: ${state.status_code}`);
  });
  const published = await askJson<{ id: string }>(`${api}/${user}/media_publish`, token, {
    creation_id: container.id,
  });
  return published.id;
}

async function toX(token: string, post: Post): Promise<string> {
  const api = 'https://api.x.com/2';
  interface Media {
    data: { id: string; processing_info?: { state: string } };
  }
  const { size } = post.video;
  const started = await askJson<Media>(`${api}/media/upload/initialize`, token, {
    media_type: 'video/mp4',
    media_category: 'tweet_video',
    total_bytes: size,
  });
  const { id } = started.data;
  const segment = 4 * mebibyte;
  for (let index = 0; index * segment < size; index += 1) {
    const body = new FormData();
    body.set('segment_index', String(index));
    body.set('media', post.video.slice(index * segment, (index + 1) * segment), 'part');
    await ask(`${api}/media/upload/${id}/append`, { method: 'POST', headers: bearer(token), body });
  }
  const ended = await askJson<Media>(`${api}/media/upload/${id}/finalize`, token, {});
  if (ended.data.processing_info) {
    await until('X', async () => {
      const { data } = await askJson<Media>(
        `${api}/media/upload?command=STATUS&media_id=${id}`,
        token,
      );
      const state = data.processing_info?.state ?? 'succeeded';
      if (state === 'failed') throw new Error('X did not take the video.');
      return state === 'succeeded' ? state : null;
    });
  }
  const { data } = await askJson<Media>(`${api}/tweets`, token, {
    text: cut(post.title, 280),
    media: { media_ids: [id] },
  });
  return `https://x.com/i/status/${data.id}`;
}

const platforms = {
  youtube: [env.YOUTUBE_TOKEN, toYouTube],
  tiktok: [env.TIKTOK_TOKEN, toTikTok],
  instagram: [env.INSTAGRAM_TOKEN, toInstagram],
  x: [env.X_TOKEN, toX],
} as const;

async function postOf({ name, description = '', tags = [], src_url, cover_url }: Export) {
  if (!src_url) throw new Error('The export has no file.');
  const hashtags = tags.map((tag) => `#${tag.replace(/[^\p{L}\p{M}\p{N}_]+/gu, '')}`);
  const caption = [name, description, hashtags.join(' ')].filter(Boolean).join('\n\n');
  const video = await (await ask(src_url)).blob();
  const post: Post = {
    ...{ title: name, description, tags, caption, video },
    ...{ videoUrl: src_url, coverUrl: cover_url },
  };
  return post;
}

/** Your own rule. This one posts every export. */
const isWanted = (_: Export): boolean => true;

const done = env.PUBLISHED_DIR ?? 'published';

/** Posts an export to each platform, never twice. */
async function publish(exported: Export): Promise<void> {
  if (!isWanted(exported)) return;
  await mkdir(done, { recursive: true });
  const post = await postOf(exported);
  for (const [platform, [token, send]] of Object.entries(platforms)) {
    if (!token) continue;
    const note = `${done}/${encodeURIComponent(exported.id)}.${platform}`;
    try {
      // Noted before it is sent: an answer may be lost, and a message may come twice.
      await writeFile(note, '', { flag: 'wx' });
    } catch {
      continue;
    }
    try {
      const where = await send(token, post);
      await writeFile(note, where);
      console.log(`${exported.id}: ${platform} ${where}`);
    } catch (error) {
      // Look whether it is there before you remove the note and send the webhook again.
      console.error(`${exported.id}: ${platform} failed. ${String(error)}`);
    }
  }
}

const key = await importWebhookKey(decodeWebhookSecret(env.WEBHOOK_SECRET ?? ''));

async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST' || request.url !== '/publish') return 404;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const header = (name: string) => String(request.headers[name] ?? '');
  const [id, timestamp] = [header(webhookHeaders.id), header(webhookHeaders.timestamp)];
  const body = Buffer.concat(chunks).toString();
  const isSigned = await isSignedWebhook(
    [key],
    { id, timestamp, body },
    header(webhookHeaders.signature),
  );
  const isNew = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  if (!isSigned || !isNew) return 401;
  const event = webhookEventSchema.parse(JSON.parse(body));
  // The answer does not wait for the platforms: the service waits 20 seconds at most.
  if (event.type === 'export.ready') {
    publish(event.data).catch((error: unknown) => console.error(String(error)));
  }
  return 204;
}

createServer((request, response) => {
  void receive(request)
    .catch(() => 400)
    .then((status) => response.writeHead(status).end());
}).listen(Number(env.PORT ?? 8080), () => console.log('Waiting for exports.'));
