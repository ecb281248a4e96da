import type { Edit } from '../edit.ts';
import type { MediaInfo, PictureFacts } from '../facts.ts';

function pickPictureFacts({
  videoStream,
  transfer,
  firstField,
  content,
  soundAlone,
}: MediaInfo): PictureFacts {
  return {
    ...(videoStream !== undefined && { videoStream }),
    ...(transfer && { transfer }),
    ...(firstField && { firstField }),
    ...(content && { content }),
    ...(soundAlone && { soundAlone }),
  };
}

/** Returns the facts of a source that an edit needs. */
export const makeEditSource = (media: MediaInfo): Edit['source'] => ({
  width: media.width,
  height: media.height,
  frameRate: media.frameRate,
  hasAudio: media.hasAudio,
  // Tone mapping converts the matrix, too.
  colourMatrix: media.transfer ? 'bt709' : (media.colourMatrix ?? 'bt709'),
  ...(media.audioStream !== undefined && { audioStream: media.audioStream }),
  ...(media.mixedAudioStreams && { mixedAudioStreams: media.mixedAudioStreams }),
  ...pickPictureFacts(media),
});
