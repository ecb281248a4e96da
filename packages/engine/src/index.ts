/** The public API of the engine, for the service and other programs. */
export { captionFonts, type OwnFont } from './captions/caption-fonts.ts';
export { FontError, maxFontBytes, readFontFile } from './captions/font-file.ts';
export {
  listDrawingNotes,
  findDrawingTools,
  sourceCaptionsNote,
} from './captions/drawing-notes.ts';
export { loadEmojiNames } from './captions/emoji-data.ts';
export { openEmojiFont } from './captions/emoji-font.ts';
export { type Edit } from './edit.ts';
export { makeWholeInputs } from './editing/make-inputs.ts';
export type { EditInputs, MutedWords } from './editing/edit-inputs.ts';
export { changeFaults, editWords, findLengthFault, type ChangeFault } from './editing/changes.ts';
export { maskListedWords, withMutedWords } from './editing/muted-words.ts';
export { makeClips, makeCustomClip } from './editing/clips.ts';
export {
  type Finders,
  makeFinders,
  analyseFraming,
  frameOpening,
  listPictureNotes,
} from './editing/analyse-framing.ts';
export { makeEdit, restyleEdit } from './editing/make-edit.ts';
export { hasFillers } from './editing/fillers.ts';
export { isAnalysisComplete, frameEdit, type FramingAnalysis } from './editing/framed-edit.ts';
export { listShownShots } from './editing/shown-shots.ts';
export { type Analysis, type IngestedSource, type Span } from './facts.ts';
export {
  writeClipDocument,
  clipDocumentNames,
  hasDocument,
  hasWords,
  isClipDocument,
} from './interchange/clip-documents.ts';
export { type Candidate, pickCandidatesAsync } from './moments/candidates.ts';
export { rankByChat, type RankingServer, type RankingOptions } from './moments/chat-ranking.ts';
export type { Favoured } from './moments/favour.ts';
export { getFfmpegAbilities } from './program/abilities.ts';
export { formatError } from './program/ffmpeg-process.ts';
export {
  diskFailing,
  diskFull,
  findMachineFault,
  type MachineFault,
  networkDown,
} from './program/process-error.ts';
export { startProgramsByHelper } from './program/start-program.ts';
export { runUrgently } from './program/urgency.ts';
export { isRemoteUrl, RemoteError } from './remote/remote-call.ts';
export { isUnchanged } from './render/stream-copy.ts';
export { exportQualities, type ExportQuality, renderSize } from './render/encoding.ts';
export { renderDraftPreview } from './render/draft-preview.ts';
export { renderPreview, type SoundWave } from './render/proxy.ts';
export {
  type PictureStrip,
  renderSourcePicture,
  renderStoryboard,
  writeStoryboard,
} from './render/source-pictures.ts';
export {
  computePosterSize,
  renderCover,
  renderFirstPosters,
  renderPoster,
} from './render/poster.ts';
export { estimateFramingWork, renderWork } from './render/render-work.ts';
export { prepareRender, render } from './render/render.ts';
export {
  cutSegment,
  moveToSegment,
  isSegmentComplete,
  type SourceSegment,
} from './render/source-segment.ts';
export { fetchWatermark } from './render/watermark.ts';
export { analyse, type AnalyseOptions, transcriptFrom } from './scan/analyse.ts';
export { createGuardedAgent, PrivateAddress } from './source/guarded-agent.ts';
export { headBytes, requireVideo, listSourceNotes } from './source/check-file.ts';
export { hasRoute, reservedDiskBytes } from './source/download.ts';
export { downloadSource, readSourceFile } from './source/ingest.ts';
export { BumperError, maxBumperBytes, readBumperFile } from './render/bumper-file.ts';
export { maxMusicBytes, MusicError, readMusicFile } from './render/music.ts';
export { SourceError } from './source/source-error.ts';
export {
  fetchSubtitles,
  maxSubtitleBytes,
  requireSubtitles,
  requireText,
} from './source/subtitle-source.ts';
export { loadPresets, PresetError, type Preset, type Presets } from './style/presets.ts';
export { presetFileSchema, styleSchema } from './style/style-schema.ts';
export { type Style } from './style/style.ts';
export {
  hasModel,
  isSpeechModel,
  getModelDirectory,
  openModel,
  speechModelChoices,
  SpeechModelError,
  type SpeechModelOptions,
} from './transcribers/speech-model.ts';
export { parseLanguage } from './words/language-code.ts';
export { createSpeechServer } from './transcribers/speech-server.ts';
export {
  type ModelDownload,
  type ProviderFailure,
  type SpeechJob,
  subtitleFile,
  transcribe,
  type TranscriptionResult,
  type Transcriber,
} from './transcribers/transcriber.ts';
export { createSpeechModel } from './transcribers/speech-recognition.ts';
export { createLibreTranslate } from './words/libretranslate.ts';
export {
  matchCode,
  findSentencesWithin,
  translateAnalysis,
  type Translator,
} from './words/translation.ts';
