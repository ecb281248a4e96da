/** The public API of the engine, for the service and other programs. */
export { captionFonts, type OwnFont } from './captions/caption-fonts.ts';
export { FontError, maxFontBytes, readFontFile } from './captions/font-file.ts';
export { drawingNotes, drawingTools, sourceCaptionsNote } from './captions/drawing-notes.ts';
export { emojiNames } from './captions/emoji-data.ts';
export { openEmojiFont } from './captions/emoji-font.ts';
export { type Edit } from './edit.ts';
export { wholeInputs } from './editing/make-inputs.ts';
export type { EditInputs } from './editing/edit-inputs.ts';
export { changeFaults, editWords, lengthFault, type ChangeFault } from './editing/changes.ts';
export { makeClips, customClip } from './editing/clips.ts';
export {
  type Finders,
  findersWith,
  analyseFraming,
  frameByPicture,
  pictureNotes,
} from './editing/analyse-framing.ts';
export { makeEdit, restyled } from './editing/make-edit.ts';
export { hasFillers } from './editing/fillers.ts';
export { analysisCovers, framedEdit, type FramingAnalysis } from './editing/framed-edit.ts';
export { shownShots } from './editing/shown-shots.ts';
export { type Analysis, type IngestedSource, type Span } from './facts.ts';
export {
  clipDocument,
  clipDocumentNames,
  clipHas,
  hasWords,
  isClipDocument,
} from './interchange/clip-documents.ts';
export { type Candidate, pickCandidatesAsync } from './moments/candidates.ts';
export { chatRanking, type RankingServer, type RankingOptions } from './moments/chat-ranking.ts';
export type { Favoured } from './moments/favour.ts';
export { ffmpegAbilities } from './program/abilities.ts';
export { errorText } from './program/ffmpeg-process.ts';
export {
  diskFailing,
  diskFull,
  machineFault,
  type MachineFault,
  networkDown,
} from './program/process-error.ts';
export { setProgramMemory } from './program/process-limits.ts';
export { startProgramsByHelper } from './program/start-program.ts';
export { isRemoteUrl, RemoteError } from './remote/remote-call.ts';
export { changesNothing } from './render/stream-copy.ts';
export { exportQualities, type ExportQuality, renderSize } from './render/encoding.ts';
export { renderPreview, type SoundWave } from './render/proxy.ts';
export {
  type PictureStrip,
  renderSourcePicture,
  renderStoryboard,
  storyboardVtt,
} from './render/source-pictures.ts';
export { posterSize, renderCover, renderFirstPosters, renderPoster } from './render/poster.ts';
export { framingWork, renderWork } from './render/render-work.ts';
export { render } from './render/render.ts';
export {
  cutSegment,
  moveToSegment,
  segmentCovers,
  type SourceSegment,
} from './render/source-segment.ts';
export { fetchWatermark } from './render/watermark.ts';
export { analyse, type AnalyseOptions, transcriptFrom } from './scan/analyse.ts';
export { guardedAgent, PrivateAddress } from './source/guarded-agent.ts';
export { headBytes, requireVideo, sourceNotes } from './source/check-file.ts';
export { hasRoute, reservedDiskBytes } from './source/download.ts';
export { ingest, ingestFile } from './source/ingest.ts';
export { SourceError } from './source/source-error.ts';
export {
  fetchSubtitles,
  maxSubtitleBytes,
  requireSubtitles,
  requireText,
} from './source/subtitle-source.ts';
export { loadPresets, PresetError, type Preset, type Presets } from './style/presets.ts';
export { presetFileSchema } from './style/style-schema.ts';
export { type Style } from './style/style.ts';
export {
  hasModel,
  isSpeechModel,
  modelDirectory,
  openModel,
  speechModelChoices,
  SpeechModelError,
  type SpeechModelOptions,
} from './transcribers/speech-model.ts';
export { languageCode } from './words/language-code.ts';
export { speechServer } from './transcribers/speech-server.ts';
export {
  type ModelDownload,
  type ProviderFailure,
  type SpeechJob,
  subtitleFile,
  transcribe,
  type TranscriptionResult,
  type Transcriber,
} from './transcribers/transcriber.ts';
export { speechModel } from './transcribers/speech-recognition.ts';
export { libreTranslate } from './words/libretranslate.ts';
export {
  matchingCode,
  sentencesWithin,
  translatedAnalysis,
  type Translator,
} from './words/translation.ts';
