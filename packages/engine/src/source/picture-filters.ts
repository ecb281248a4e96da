/** Filters of ffmpeg that make pictures of any kind ordinary ones. Each ends with a comma. */
import type { PictureFacts } from '../facts.ts';

const share = (value: number): string => String(Number(value.toFixed(6)));

/** Removes interlacing. */
export function deinterlaced({ firstField }: PictureFacts): string {
  const field = firstField === 'top' ? 'tff' : 'bff';
  return firstField ? `bwdif=mode=send_frame:parity=${field}:deint=all,` : '';
}

/**
 * Makes pictures of standard range 8 bits deep: in deeper ones, a window at an odd place takes half
 * of a colour's bytes. Kinds of 8 bits stay as they are.
 */
export const eightBits = ({ transfer }: PictureFacts): string =>
  transfer ? '' : 'format=yuv420p|yuvj420p|yuv422p|yuvj422p|yuv444p|yuvj444p|gray|gbrp|rgb24,';

/** Removes black bars only. */
export function withoutBars(content: PictureFacts['content']): string {
  if (!content) return '';
  const { x, y, width, height } = content;
  return `crop=w=iw*${share(width)}:h=ih*${share(height)}:x=iw*${share(x)}:y=ih*${share(y)},`;
}

const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;
/** Brightness of white paper in high dynamic range, in cd/m² (ITU-R BT.2408). */
const whiteNits = 203;

/**
 * Converts high dynamic range to BT.709: brightness up to 70 % of white stays, and highlights up to
 * five times as bright as white are brought below it.
 */
export function toneMapped({ transfer }: PictureFacts): string {
  if (!transfer) return '';
  return [
    `setparams=color_primaries=bt2020:color_trc=${transfers[transfer]}:colorspace=bt2020nc:range=tv`,
    `zscale=t=linear:npl=${whiteNits}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=mobius:param=0.7:peak=5:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p,',
  ].join(',');
}
