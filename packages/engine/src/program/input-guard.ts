/**
 * Containers that may be opened, by the names of ffmpeg's demuxers. None of them lists other files.
 */
const demuxers = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  'mpegts',
  'avi',
  'flv',
  'ogg',
  'mpeg',
  'asf',
  'dv',
  'mp3',
  'aac',
  'flac',
  'wav',
] as const;

/** Decoders that may run on untrusted files: the common ones, no rare or unmaintained ones. */
// prettier-ignore
const decoders = [
  'h264', 'hevc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1',
  'mpeg1video', 'mpeg2video', 'mpeg4', 'msmpeg4', 'msmpeg4v2', 'h263', 'flv', 'vp6', 'vp6f',
  'mjpeg', 'prores', 'dnxhd', 'theora', 'png', 'dvvideo', 'vc1', 'wmv1', 'wmv2', 'wmv3',
  'aac', 'aac_latm', 'wmav1', 'wmav2', 'mp3', 'mp3float', 'mp2', 'mp2float', 'ac3', 'eac3', 'opus', 'libopus', 'vorbis',
  'flac', 'alac', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb',
  'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_f32le', 'pcm_u8',
  'pcm_alaw', 'pcm_mulaw', 'adpcm_ms', 'adpcm_ima_wav', 'nellymoser', 'speex', 'libspeex',
  'subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text',
] as const;

const readable: ReadonlySet<string> = new Set([...decoders, 'amr_nb', 'amr_wb']);

/** Whether tracks of a codec are read, by ffprobe's name of it. */
export const isReadable = (codec: string): boolean => readable.has(codec);

/** Maximum number of pixels in a picture: 8K and a little more. */
export const maxPixels = 36_000_000;

/**
 * Options before the `-i` of an untrusted file: only that file is read, only known formats are
 * opened.
 */
const demuxGuard: readonly string[] = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  demuxers.join(','),
];

/**
 * {@link demuxGuard} and the picture size limit, for ffprobe. It gets no decoder list: it would
 * reject a whole file because of one unused track, such as picture subtitles.
 */
export const probeGuard: readonly string[] = [...demuxGuard, '-max_pixels', String(maxPixels)];

/** {@link demuxGuard} and decoder limits, for ffmpeg (not ffprobe). */
export const decodeGuard: readonly string[] = [
  ...demuxGuard,
  '-codec_whitelist',
  decoders.join(','),
  '-max_pixels',
  String(maxPixels),
];

/** First options of each ffmpeg command: no keyboard, no banner, no status line. */
export const quietStart: readonly string[] = ['-hide_banner', '-nostdin', '-nostats'];
